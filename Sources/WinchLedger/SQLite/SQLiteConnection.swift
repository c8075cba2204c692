import CSQLite
import WinchModel

/// A connection to an SQLite database, for one thread at a time.
final class SQLiteConnection {
    private let path: String
    /// `nil`: it is closed.
    private var handle: OpaquePointer?
    /// By their SQL.
    private var statements: [String: Statement] = [:]

    /// - Parameters:
    ///   - path: of the file, which is created; `:memory:`: a database of the connection's own.
    ///   - busyTimeout: milliseconds to wait while another connection writes.
    init(path: String, busyTimeout: Int32 = 0) throws(SQLiteError) {
        self.path = path
        let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path.cBytes, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        // After a failure there may be a handle, for the words alone.
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: code, on: handle)
            sqlite3_close(handle)
            handle = nil
            throw error
        }
        sqlite3_busy_timeout(handle, busyTimeout)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// The last connection to a database in WAL mode writes the log into the file.
    ///
    /// - Throws: when it cannot be closed; it stays open then.
    func close() throws(SQLiteError) {
        statements = [:]
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle) }
        handle = nil
    }

    /// Runs any number of statements without arguments, up to the first that fails.
    func execute(_ script: String) throws(SQLiteError) {
        let handle = try opened()
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle) }
    }

    /// A statement that is prepared once for the life of the connection.
    func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(opened(), sql)
        statements[sql] = statement
        return statement
    }

    /// Runs a kept statement to its end.
    func run(_ sql: String, _ arguments: Arguments = []) throws(SQLiteError) {
        try statement(sql).run(arguments)
    }

    /// The rows of a kept statement.
    func rows(_ sql: String, _ arguments: Arguments = []) throws(SQLiteError) -> Rows {
        try statement(sql).rows(arguments)
    }

    /// The first column of the first row of a kept statement; `nil` when there is no row, or NULL in it.
    func value<Value: SQLiteValue>(_ sql: String, _ arguments: Arguments = []) throws(SQLiteError) -> Value? {
        var rows = try rows(sql, arguments)
        return try rows.next()?[0]
    }

    /// The first column of all rows of a kept statement, without NULLs.
    func values<Value: SQLiteValue>(_ sql: String, _ arguments: Arguments = []) throws(SQLiteError) -> [Value] {
        var rows = try rows(sql, arguments)
        var values: [Value] = []
        while let row = try rows.next() {
            if let value: Value = row[0] { values.append(value) }
        }
        return values
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    var changedRows: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    var lastInsertedKey: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    enum Transaction: String {
        /// Sees one state of the database.
        case reading = "BEGIN DEFERRED"
        /// Waits for another connection that writes before it begins.
        case writing = "BEGIN IMMEDIATE"
    }

    /// All of the work, or none of it when it throws.
    func transaction<Result>(_ kind: Transaction, _ work: () throws -> Result) throws -> Result {
        try run(kind.rawValue)
        do {
            let result = try work()
            try run("COMMIT")
            return result
        } catch {
            // After some errors, such as a full disk, SQLite has rolled back by itself.
            if let handle, sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private func opened() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "\(path) is closed") }
        return handle
    }
}

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

    enum Kind { case damaged, busy, other }

    /// By the primary result code.
    var kind: Kind {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .other
        }
    }
}
