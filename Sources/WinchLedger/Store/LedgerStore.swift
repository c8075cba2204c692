import WinchCore

/// The database of one run: writes what is recorded, in transactions.
final class LedgerStore: Sendable {
    let database: Database
    /// The run's number: it owns what it writes.
    let run: Int64
    let surroundings: Surroundings
    /// Runs that were over when this one began, and those of them that ended before the machine was started anew.
    private let deadRuns: Set<Int64>
    private let rebootedRuns: Set<Int64>

    init(
        database: Database, run: Int64, surroundings: Surroundings, deadRuns: Set<Int64>,
        rebootedRuns: Set<Int64>
    ) {
        self.database = database
        self.run = run
        self.surroundings = surroundings
        self.deadRuns = deadRuns
        self.rebootedRuns = rebootedRuns
    }

    /// Writes all of them in one transaction, or none.
    func write(_ batches: [[LedgerChange]]) throws {
        try database.write { db in
            var settings = SettingsTable(db, surroundings)
            var released: Set<Int64> = []
            for change in batches.joined() { try write(change, db, &settings, &released) }
            for id in released { try settings.release(id) }
        }
    }

    private func write(
        _ change: LedgerChange, _ db: Connection, _ settings: inout SettingsTable, _ released: inout Set<Int64>
    ) throws {
        switch change {
        case .put(let entry):
            // Its logins go with the row of its settings.
            if entry.standing.isFinished { try noteSettings(of: entry.key, db, &released) }
            let kept = entry.kept(in: surroundings)
            let id = try settings.id(of: entry.spec.settings, isFinished: entry.standing.isFinished)
            try db.run(EntryRow.insertion, EntryRow.arguments(kept, run: run, settings: id))
            if let past = HistoryEntry(kept) { try db.run(HistoryRow.insertion, HistoryRow.arguments(past)) }
        case .advanced(let key, let have, let durable, let hauled):
            try db.run(
                "UPDATE transfers SET ranges = ?, durable = ?, hauled = ? WHERE key = ?",
                [RangesText.encode(have), durable.bytes, hauled.bytes, key.number])
        case .detailed(let key, let details): try DetailsTable.write(details, of: key, db)
        case .ranked(let key, let rank):
            try db.run("UPDATE transfers SET rank = ? WHERE key = ?", [rank, key.number])
        case .removed(let key):
            try noteSettings(of: key, db, &released)
            try DetailsTable.remove(key, db)
            try db.run("DELETE FROM transfers WHERE key = ?", [key.number])
        }
    }

    private func noteSettings(of key: LedgerKey, _ db: Connection, _ released: inout Set<Int64>) throws {
        let id: Int64? = try db.value("SELECT settings FROM transfers WHERE key = ?", [key.number])
        if let id { released.insert(id) }
    }

    /// - Parameter options: `name=value` lines.
    func keep(options: String) throws {
        try database.write { db in
            try db.run("UPDATE runs SET options = ? WHERE number = ?", [options, run])
        }
    }

    /// Takes over entries of runs that are over, unless another process was quicker.
    ///
    /// - Returns: those that are this run's now.
    func adopt(_ keys: [LedgerKey]) throws -> [LedgerKey] {
        try database.write { db in
            let update = try db.prepare(
                """
                UPDATE transfers
                SET run = \(run), isAfterReboot = isAfterReboot OR run IN (\(Self.list(rebootedRuns)))
                WHERE key = ? AND run IN (\(Self.list(deadRuns.union([run]))))
                """)
            return try keys.filter { key in
                try update.run([key.number])
                return db.changedRows > 0
            }
        }
    }

    func details(of key: LedgerKey) throws -> KeptDetails? {
        try database.read { db in try DetailsTable.read(of: key, db) }
    }

    func history(_ query: HistoryQuery) throws -> [HistoryEntry] {
        try database.read { db in try HistoryTable.find(query, in: db) }
    }

    /// Writes the log into the file, which makes all of it last, and closes.
    func close() throws {
        try database.write { db in try HistoryTable.prune(db) }
        try database.close()
    }

    private static func list(_ numbers: Set<Int64>) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }
}
