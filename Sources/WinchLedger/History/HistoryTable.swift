import GRDB
import WinchCore

/// The table `history`: what was settled, newest first, and not without end.
enum HistoryTable {
    /// The newest so many are kept: 25 MB of file, and a search through all of them in a fraction of a second.
    static let longest = 100_000

    static func find(_ query: HistoryQuery, in db: Database) throws -> [HistoryEntry] {
        let limit = query.limit ?? .max
        guard limit > 0 else { return [] }
        let matcher = HistoryQuery.Matcher(query)
        var failures = FailureReader()
        var found: [HistoryEntry] = []
        let rows = try Row.fetchCursor(
            db,
            sql: """
                \(HistoryRow.selection)
                WHERE settledAt >= ? \(query.isFailedOnly ? "AND outcome = '\(LedgerStanding.failedWord)'" : "")
                ORDER BY settledAt DESC, key DESC
                """,
            arguments: [query.since?.milliseconds ?? .min])
        while found.count < limit, let row = try rows.next() {
            if let entry = HistoryRow.read(row, &failures), matcher.matches(entry) { found.append(entry) }
        }
        return found
    }

    /// Forgets what is older than the newest `count`.
    static func prune(_ db: Database, to count: Int = longest) throws {
        let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM history") ?? 0
        guard all > count else { return }
        try db.execute(
            sql: """
                DELETE FROM history
                WHERE key IN (SELECT key FROM history ORDER BY settledAt, key LIMIT ?)
                """, arguments: [all - count])
    }
}
