import WinchModel

/// What hosts were found to allow, one row a host.
enum HostTable {
    static func write(_ allowance: LearnedHostLimit, _ db: SQLiteConnection) throws(SQLiteError) {
        try db.run(
            "INSERT OR REPLACE INTO hosts (host, connections, learnedAt) VALUES (?, ?, ?)",
            [allowance.host, allowance.connections, allowance.learnedAt.milliseconds])
    }

    /// Those that are not too old, by name.
    static func read(_ db: SQLiteConnection, at now: UnixTime) throws(SQLiteError) -> [LearnedHostLimit] {
        var allowances: [LearnedHostLimit] = []
        var rows = try db.rows("SELECT host, connections, learnedAt FROM hosts ORDER BY host")
        while let row = try rows.next() {
            guard let host: String = row[0], !host.isEmpty else { continue }
            let allowance = LearnedHostLimit(
                host: host, connections: row[1] ?? 1, learnedAt: UnixTime(milliseconds: row[2] ?? 0))
            if allowance.connections(at: now) != nil { allowances.append(allowance) }
        }
        return allowances
    }

    static func prune(_ db: SQLiteConnection, at now: UnixTime) throws(SQLiteError) {
        try db.run("DELETE FROM hosts WHERE learnedAt <= ?", [now.milliseconds - LearnedHostLimit.lifetime])
    }
}
