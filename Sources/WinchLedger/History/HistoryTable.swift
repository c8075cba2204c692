import WinchModel

/// The table `history`: settled transfers, up to a limit.
enum HistoryTable {
    /// How many of the newest are kept: 25 MB of file, and a search through all of them takes a fraction of a second.
    static let longest = 100_000

    static func find(_ query: HistoryQuery, in db: SQLiteConnection) throws(SQLiteError) -> [HistoryEntry] {
        let limit = query.limit ?? .max
        guard limit > 0 else { return [] }
        let matcher = HistoryQuery.Matcher(query)
        var failures = FailureReader()
        var found: [HistoryEntry] = []
        var rows = try db.rows(
            """
            \(HistoryRow.selection)
            WHERE settledAt >= ? \(query.isFailedOnly ? "AND outcome = '\(LedgerState.failedWord)'" : "")
            ORDER BY settledAt DESC, key DESC
            """, [query.since?.milliseconds ?? Int64.min])
        while found.count < limit, let row = try rows.next() {
            if let entry = HistoryRow.read(row, &failures), matcher.matches(entry) { found.append(entry) }
        }
        return found
    }

    /// Deletes all but the newest `count`.
    static func prune(_ db: SQLiteConnection, to count: Int = longest) throws(SQLiteError) {
        let all: Int = try db.value("SELECT count(*) FROM history") ?? 0
        guard all > count else { return }
        try db.run(
            "DELETE FROM history WHERE key IN (SELECT key FROM history ORDER BY settledAt, key LIMIT ?)",
            [all - count])
    }
}
