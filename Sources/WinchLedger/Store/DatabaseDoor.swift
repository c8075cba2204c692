import GRDB
import WinchCore

/// Opens the database file and brings it up to date.
struct DatabaseDoor {
    let files: LedgerFiles

    /// Why a file was not opened.
    enum Refusal: Error {
        case damaged(reason: String)
        case failed(LedgerFailure)
    }

    func open() throws(Refusal) -> DatabaseQueue {
        try refusing { () throws in
            let database = try DatabaseQueue(path: files.database, configuration: Self.configuration)
            try database.writeWithoutTransaction { db in
                // Before anything is written: a newer file stays as it is.
                if try Schema.migrator.hasBeenSuperseded(db) { throw LedgerFailure.newer(files.database) }
                let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no response"
                guard verdict == "ok" else { throw Refusal.damaged(reason: verdict) }
                try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            }
            try Schema.migrator.migrate(database)
            return database
        }
    }

    /// Turns what the database says into a refusal.
    func refusing<Result>(_ work: () throws -> Result) throws(Refusal) -> Result {
        do {
            return try work()
        } catch let refusal as Refusal {
            throw refusal
        } catch let failure as LedgerFailure {
            throw .failed(failure)
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw .damaged(reason: error.reason)
            // Either tables are missing, or a statement of ours is wrong: the file is to blame for the first alone.
            case .SQLITE_ERROR where !hasItsTables: throw .damaged(reason: error.reason)
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw .failed(.busy(files.database))
            default: throw .failed(.unusable(files.database, reason: error.reason))
            }
        } catch {
            throw .failed(.unusable(files.database, reason: "\(error)"))
        }
    }

    /// Every table and column is there that the migrations noted in the file make. A file that cannot be read counts as
    /// whole: it is left where it is.
    private var hasItsTables: Bool {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let file = try DatabaseQueue(path: files.database, configuration: configuration)
            let model = try DatabaseQueue()
            if let last = try file.read(Schema.migrator.appliedMigrations).last {
                try Schema.migrator.migrate(model, upTo: last)
            }
            let (made, found) = (try Self.columns(model), try Self.columns(file))
            return made.isSubset(of: found)
        } catch {
            return true
        }
    }

    /// `transfers.rank` and so on.
    private static func columns(_ database: DatabaseQueue) throws -> Set<String> {
        try database.read { db in
            try Set(
                String.fetchAll(
                    db,
                    sql: """
                        SELECT tables.name || '.' || columns.name
                        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
                        WHERE tables.type = 'table'
                        """))
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "winch.ledger"
        // Another process writes for a second at most, when it adds a hundred thousand entries.
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // Logins that are wiped are overwritten, not only forgotten.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304")
        }
        return configuration
    }
}

extension DatabaseError {
    /// In words, without the statement.
    var reason: String { message ?? resultCode.description }
}
