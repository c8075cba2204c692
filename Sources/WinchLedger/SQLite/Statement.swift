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
    ///   - isKept: it will be run many times.
    init(_ handle: OpaquePointer, _ sql: String, isKept: Bool) throws(SQLiteError) {
        var statement: OpaquePointer?
        var hasMore = false
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
            let code = sqlite3_prepare_v3(handle, text, -1, flags, &statement, &tail)
            hasMore = tail.map { String(cString: $0).contains { !$0.isWhitespace } } ?? false
            return code
        }
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle) }
        guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
        guard !hasMore else {
            sqlite3_finalize(statement)
            throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement")
        }
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

    /// As `run`, for a statement that runs for each file: the arguments are bound one by one, and none is copied to an array.
    ///
    /// - Parameter bind: binds all of them, in their order.
    func run(binding bind: (inout ArgumentBinder) -> Void) throws(SQLiteError) {
        var binder = ArgumentBinder(statement)
        bind(&binder)
        var rows = Rows(self)
        guard binder.code == SQLITE_OK else { throw SQLiteError(code: binder.code, on: handle) }
        guard Int32(sqlite3_bind_parameter_count(statement)) == binder.count else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "a wrong number of arguments")
        }
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

/// Binds the arguments of a statement in their order.
struct ArgumentBinder {
    private let statement: OpaquePointer
    /// Arguments bound so far.
    fileprivate private(set) var count: Int32 = 0
    /// The first result that is not `SQLITE_OK`.
    fileprivate private(set) var code = SQLITE_OK

    fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

    /// - Parameter value: `nil` is NULL.
    mutating func bind<Value: SQLiteValue>(_ value: Value?) {
        count += 1
        // After a reset all are NULL.
        guard let value, code == SQLITE_OK else { return }
        code = value.bind(to: statement, at: count)
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
