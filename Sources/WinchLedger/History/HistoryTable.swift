import WinchModel

/// The table `history`: settled transfers, as many as `LedgerRetention` keeps.
enum HistoryTable {
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
}
