import CSQLite

/// What a statement takes for its parameters, in their order; `nil` is NULL.
typealias Arguments = [(any SQLiteValue)?]

/// One prepared SQL statement of a connection, to be run any number of times, but not while its rows are read.
final class Statement {
    private let handle: OpaquePointer
    fileprivate let statement: OpaquePointer

    /// - Parameters:
    ///   - handle: the connection's.
    ///   - sql: exactly one statement.
    init(_ handle: OpaquePointer, _ sql: String) throws(SQLiteError) {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle) }
        guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
        (self.handle, self.statement) = (handle, statement)
    }

    deinit {
        // Its code repeats the last error, which has been thrown.
        sqlite3_finalize(statement)
    }

    /// Runs it to its end; its rows are not read.
    func run(_ arguments: Arguments = []) throws(SQLiteError) {
        var rows = try rows(arguments)
        while try rows.next() != nil {}
    }

    /// Begins to run it. It is reset when the rows go.
    func rows(_ arguments: Arguments = []) throws(SQLiteError) -> Rows {
        guard Int(sqlite3_bind_parameter_count(statement)) == arguments.count else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "a wrong number of arguments")
        }
        for index in arguments.indices {
            // After a reset all are NULL.
            guard let code = arguments[index]?.bind(to: statement, at: Int32(index + 1)), code != SQLITE_OK else {
                continue
            }
            let error = SQLiteError(code: code, on: handle)
            reset()
            throw error
        }
        return Rows(self)
    }

    /// - Returns: false after the last row.
    fileprivate func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(code: code, on: handle)
        }
    }

    /// Ends the run, and forgets the arguments: they may be logins.
    fileprivate func reset() {
        // Its code repeats the last error, which has been thrown.
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }
}

/// The rows of a statement that runs.
struct Rows: ~Copyable {
    private let statement: Statement

    fileprivate init(_ statement: Statement) { self.statement = statement }

    deinit { statement.reset() }

    /// - Returns: a row that is good until the next call; `nil` after the last.
    mutating func next() throws(SQLiteError) -> Row? {
        try statement.step() ? Row(statement: statement.statement) : nil
    }
}

/// One row of a result, to be read before the statement goes on.
struct Row {
    fileprivate let statement: OpaquePointer

    /// - Parameter column: from 0.
    /// - Returns: `nil` for NULL.
    subscript<Value: SQLiteValue>(column: Int32) -> Value? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Value(statement, column: column)
    }
}

/// A Swift value as SQLite stores it.
protocol SQLiteValue {
    /// The value of a column that is not NULL; SQLite converts between its types, text that is no number gives 0.
    ///
    /// - Source: https://www.sqlite.org/c3ref/column_blob.html
    init(_ statement: OpaquePointer, column: Int32)

    /// - Parameter index: from 1.
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension SQLiteValue where Self: FixedWidthInteger {
    init(_ statement: OpaquePointer, column: Int32) {
        self = Self(truncatingIfNeeded: sqlite3_column_int64(statement, column))
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Int64: SQLiteValue {}
extension Int: SQLiteValue {}
extension Int32: SQLiteValue {}

extension Bool: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) { self = Int64(statement, column: column) != 0 }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(to: statement, at: index)
    }
}

/// A blob.
extension [UInt8]: SQLiteValue {
    init(_ statement: OpaquePointer, column: Int32) {
        // The bytes first: asked for the count of a number, SQLite would convert it.
        let bytes = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        self = bytes.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            // No address would be NULL.
            guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), .copied)
        }
    }
}

/// `SQLITE_TRANSIENT`, a cast in C that Swift does not import: SQLite copies the value before it returns.
extension sqlite3_destructor_type? {
    fileprivate static var copied: Self { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension String: SQLiteValue {
    /// Bytes that are not UTF-8 are replaced.
    init(_ statement: OpaquePointer, column: Int32) {
        guard let text = sqlite3_column_text(statement, column) else {
            self = ""
            return
        }
        let count = Int(sqlite3_column_bytes(statement, column))
        self = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // No address would be NULL.
                guard let start = bytes.baseAddress else {
                    return sqlite3_bind_text(statement, index, "", 0, .copied)
                }
                return sqlite3_bind_text64(
                    statement, index, start, UInt64(bytes.count), .copied, UInt8(SQLITE_UTF8))
            }
        }
    }
}
