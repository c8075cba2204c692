package import WinchModel

/// One settled transfer, as the history lists it. It contains no login.
package struct HistoryEntry: Hashable, Sendable {
    package var key: LedgerKey
    package var settledAt: UnixTime
    /// `nil`: no connection was made.
    package var startedAt: UnixTime?
    /// Relative to the folder. Untrusted: it is escaped before it is printed.
    package var name: String
    /// Absolute; empty for an upload that was not of a folder.
    package var folder: String
    /// The first mirror, without its login. Untrusted.
    package var url: String
    /// `nil`: unknown.
    package var size: ByteCount?
    /// Bytes received over the network, including those that were fetched again.
    package var received: ByteCount
    /// How it ended: neither unfinished nor paused.
    package var outcome: LedgerState
    /// Spent on attempts and the waits between them; `nil`: an earlier version did not record it.
    package var worked: Duration?
}

extension HistoryEntry {
    /// - Returns: `nil` for a transfer that is not settled.
    package init?(_ entry: LedgerEntry) {
        guard entry.standing.isSettled else { return nil }
        var name = entry.name
        if case .finished(let outcome) = entry.standing { name = outcome.path }
        self.init(
            key: entry.key, settledAt: entry.settledAt ?? entry.startedAt ?? entry.addedAt, startedAt: entry.startedAt,
            name: name, folder: entry.spec.hasNoFolder ? "" : entry.spec.folder,
            url: entry.spec.urls.first?.redacted ?? "", size: entry.size.known,
            received: entry.received, outcome: entry.standing, worked: entry.worked)
    }

    /// How long it took, without pauses and the time between runs where that is known; `nil`: no connection was made.
    package var duration: Duration? {
        startedAt.map { worked ?? .milliseconds(max(0, settledAt.milliseconds - $0.milliseconds)) }
    }
}

/// Which entries of the history to list.
package struct HistoryQuery: Sendable {
    /// Each must occur in the name, the URL or the folder; lower case.
    private let words: [String]
    fileprivate let isFailedOnly: Bool
    /// Settled at this time or later.
    fileprivate let since: UnixTime?
    /// The most entries to list; `nil`: all.
    package var limit: Int?

    /// - Parameter words: case is ignored.
    package init(words: [String] = [], isFailedOnly: Bool = false, since: UnixTime? = nil, limit: Int? = nil) {
        self.words = words.map { $0.lowercased() }.filter { !$0.isEmpty }
        (self.isFailedOnly, self.since, self.limit) = (isFailedOnly, since, limit)
    }

    /// Whether the entry matches; the limit is ignored.
    package func matches(_ entry: HistoryEntry) -> Bool {
        if let since, entry.settledAt < since { return false }
        if isFailedOnly, !entry.outcome.isFailed { return false }
        guard !words.isEmpty else { return true }
        let fields = [entry.name, entry.url, entry.folder].map { $0.lowercased() }
        return words.allSatisfy { word in fields.contains { $0.contains(word) } }
    }
}

/// The table `history`: settled transfers, as many as `LedgerRetention` keeps.
enum HistoryTable {
    private static let columns = [
        "key", "settledAt", "startedAt", "name", "folder", "url", "size", "hauled", "outcome", "detail", "worked",
    ]

    static let insertion = """
        INSERT OR REPLACE INTO history (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// The arguments of the `insertion`.
    static func values(of entry: HistoryEntry) -> Arguments {
        let (word, detail) = entry.outcome.words
        return [
            entry.key.number, entry.settledAt.milliseconds, entry.startedAt?.milliseconds, entry.name, entry.folder,
            entry.url, entry.size?.bytes, entry.received.bytes, word, detail, entry.worked?.milliseconds,
        ]
    }

    static func find(_ query: HistoryQuery, in db: SQLiteConnection) throws(SQLiteError) -> [HistoryEntry] {
        let limit = query.limit ?? .max
        guard limit > 0 else { return [] }
        var failures = FailureReader()
        var found: [HistoryEntry] = []
        var rows = try db.rows(
            """
            SELECT \(columns.joined(separator: ", ")) FROM history
            WHERE settledAt >= ? \(query.isFailedOnly ? "AND outcome = 'failed'" : "")
            ORDER BY settledAt DESC, key DESC
            """, [query.since?.milliseconds ?? Int64.min])
        while found.count < limit, let row = try rows.next() {
            if let entry = read(row, &failures), query.matches(entry) { found.append(entry) }
        }
        return found
    }

    /// - Returns: `nil` for a row with invalid values.
    private static func read(_ row: Row, _ failures: inout FailureReader) -> HistoryEntry? {
        guard let outcome = LedgerState(word: row[8] ?? "", detail: row[9], &failures), outcome.isSettled else {
            return nil
        }
        return HistoryEntry(
            key: LedgerKey(row[0] ?? 0), settledAt: UnixTime(milliseconds: row[1] ?? 0),
            startedAt: (row[2] as Int64?).map(UnixTime.init(milliseconds:)), name: row[3] ?? "", folder: row[4] ?? "",
            url: row[5] ?? "", size: (row[6] as Int64?).map(ByteCount.init(bytes:)),
            received: ByteCount(bytes: row[7] ?? 0), outcome: outcome,
            worked: (row[10] as Int64?).map { .milliseconds($0) })
    }
}
