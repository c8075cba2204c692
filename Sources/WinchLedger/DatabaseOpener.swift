/// Opens the database file and brings it up to date.
struct DatabaseOpener {
    let files: LedgerFiles

    /// Why a file was not opened.
    enum Refusal: Error {
        case damaged(reason: String)
        case failed(LedgerFailure)
    }

    /// Milliseconds to wait for another process that writes: adding a hundred thousand entries takes a second.
    private static let busyTimeout: Int32 = 5000

    func open() throws(Refusal) -> Database {
        try refusing { () throws in
            let connection = try SQLiteConnection(path: files.database, busyTimeout: Self.busyTimeout)
            // Deleted logins are overwritten in the file, not only unlinked.
            try connection.execute("PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304")
            // Before anything is written: a file of a later version is left unchanged.
            if try Schema.isNewer(connection) { throw LedgerFailure.newer(files.database) }
            let verdict: String = try connection.value("PRAGMA quick_check(1)") ?? "no response"
            guard verdict == "ok" else { throw Refusal.damaged(reason: verdict) }
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            try Schema.migrate(connection)
            return Database(connection)
        }
    }

    /// Turns an error of the database into a refusal.
    func refusing<Result>(_ work: () throws -> Result) throws(Refusal) -> Result {
        do {
            return try work()
        } catch let refusal as Refusal {
            throw refusal
        } catch let failure as LedgerFailure {
            throw .failed(failure)
        } catch let error as SQLiteError {
            switch error.kind {
            case .damaged: throw .damaged(reason: error.message)
            // Either tables are missing, or a statement of this version is wrong: only the first is the file's fault.
            case .statement where !hasItsTables: throw .damaged(reason: error.message)
            case .busy: throw .failed(.busy(files.database))
            case .statement, .other: throw .failed(.unusable(files.database, reason: error.message))
            }
        } catch {
            throw .failed(.unusable(files.database, reason: "\(error)"))
        }
    }

    /// Whether every table and column exists that the migrations noted in the file make. A file that cannot be read counts
    /// as whole: it is left where it is.
    private var hasItsTables: Bool {
        do {
            let file = try SQLiteConnection(path: files.database, access: .readOnly)
            let model = try SQLiteConnection(path: ":memory:")
            if let last = try Schema.applied(file).last { try Schema.migrate(model, upTo: last) }
            let (made, found) = (try Self.columns(model), try Self.columns(file))
            return made.isSubset(of: found)
        } catch {
            return true
        }
    }

    /// `transfers.rank` and so on.
    private static func columns(_ connection: SQLiteConnection) throws(SQLiteError) -> Set<String> {
        try Set(
            connection.values(
                """
                SELECT tables.name || '.' || columns.name
                FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table'
                """))
    }
}
