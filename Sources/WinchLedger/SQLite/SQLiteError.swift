import CSQLite

/// A result code of SQLite other than success.
///
/// - Source: https://www.sqlite.org/rescode.html
struct SQLiteError: Error, Equatable {
    /// The extended result code.
    let code: Int32
    /// In SQLite's words, without the statement.
    let message: String

    init(code: Int32, message: String? = nil) {
        self.code = code
        self.message = message ?? String(cString: sqlite3_errstr(code))
    }

    /// - Parameter handle: the connection on which the call failed; `nil`: the general words for the code.
    init(code: Int32, on handle: OpaquePointer?) {
        self.init(code: code, message: handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) })
    }

    enum Kind { case damaged, busy, statement, other }

    /// By the primary result code.
    var kind: Kind {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_ERROR: .statement
        default: .other
        }
    }
}
