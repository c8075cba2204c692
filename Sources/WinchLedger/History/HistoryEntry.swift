package import WinchModel

/// One settled transfer, as the history lists it. It contains no login.
package struct HistoryEntry: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        case finished(TransferPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
    }

    package var key: LedgerKey
    package var settledAt: UnixTime
    /// `nil`: no connection was made.
    package var startedAt: UnixTime?
    /// Relative to the folder. Untrusted: it is escaped before it is printed.
    package var name: String
    /// Absolute.
    package var folder: String
    /// The first mirror, without its login. Untrusted.
    package var url: String
    /// `nil`: unknown.
    package var size: ByteCount?
    /// Bytes received over the network, including those that were fetched again.
    package var received: ByteCount
    package var outcome: Outcome
    /// Spent on attempts and the waits between them; `nil`: an earlier version did not record it.
    package var worked: Duration?

    package init(
        key: LedgerKey, settledAt: UnixTime, startedAt: UnixTime?, name: String, folder: String, url: String,
        size: ByteCount?, received: ByteCount, outcome: Outcome, worked: Duration? = nil
    ) {
        self.key = key
        self.settledAt = settledAt
        self.startedAt = startedAt
        self.name = name
        self.folder = folder
        self.url = url
        self.size = size
        self.received = received
        self.outcome = outcome
        self.worked = worked
    }

    /// How long it took, without pauses and the time between runs where that is known; `nil`: no connection was made.
    package var duration: Duration? {
        startedAt.map { worked ?? .milliseconds(max(0, settledAt.milliseconds - $0.milliseconds)) }
    }
}

extension HistoryEntry {
    /// - Returns: `nil` for a transfer that is not settled.
    init?(_ entry: LedgerEntry) {
        let outcome: Outcome
        var name = entry.name
        switch entry.standing {
        case .unfinished, .paused: return nil
        case .finished(let finished):
            outcome = .finished(finished)
            switch finished {
            case .saved(let path), .skipped(let path), .alreadyComplete(let path), .sent(let path),
                .listed(let path, _):
                name = path
            }
        case .failed(let failure): outcome = .failed(failure)
        case .cancelled: outcome = .cancelled
        }
        self.init(
            key: entry.key, settledAt: entry.settledAt ?? entry.startedAt ?? entry.addedAt, startedAt: entry.startedAt,
            name: name, folder: entry.spec.folder, url: entry.spec.urls.first?.redacted ?? "", size: entry.size.known,
            received: entry.received, outcome: outcome, worked: entry.worked)
    }

    /// The standing in which it ended.
    var standing: LedgerState {
        switch outcome {
        case .finished(let finished): .finished(finished)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}

/// Which entries of the history to list.
package struct HistoryQuery: Hashable, Sendable {
    /// Each must occur in the name, the URL or the folder; case is ignored.
    package var words: [String]
    package var isFailedOnly: Bool
    /// Settled at this time or later.
    package var since: UnixTime?
    /// The most entries to list; `nil`: all.
    package var limit: Int?

    package init(words: [String] = [], isFailedOnly: Bool = false, since: UnixTime? = nil, limit: Int? = nil) {
        self.words = words
        self.isFailedOnly = isFailedOnly
        self.since = since
        self.limit = limit
    }

    /// Whether the entry matches; the limit is ignored.
    package func matches(_ entry: HistoryEntry) -> Bool { Matcher(self).matches(entry) }

    /// A query prepared for many entries.
    struct Matcher {
        private let words: [String]
        private let isFailedOnly: Bool
        private let since: UnixTime?

        init(_ query: HistoryQuery) {
            words = query.words.map { $0.lowercased() }.filter { !$0.isEmpty }
            isFailedOnly = query.isFailedOnly
            since = query.since
        }

        func matches(_ entry: HistoryEntry) -> Bool {
            if let since, entry.settledAt < since { return false }
            if isFailedOnly, !entry.outcome.isFailure { return false }
            guard !words.isEmpty else { return true }
            let fields = [entry.name, entry.url, entry.folder].map { $0.lowercased() }
            return words.allSatisfy { word in fields.contains { $0.contains(word) } }
        }
    }
}

extension HistoryEntry.Outcome {
    package var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}

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

/// One settled transfer as a row of `history`.
enum HistoryRow {
    private static let columns = [
        "key", "settledAt", "startedAt", "name", "folder", "url", "size", "hauled", "outcome", "detail", "worked",
    ]

    static let selection = "SELECT \(columns.joined(separator: ", ")) FROM history"

    static let insertion = """
        INSERT OR REPLACE INTO history (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// - Parameter binder: of the `insertion`.
    static func bind(_ entry: HistoryEntry, to binder: inout ArgumentBinder) {
        let (word, detail) = entry.standing.words
        binder.bind(entry.key.number)
        binder.bind(entry.settledAt.milliseconds)
        binder.bind(entry.startedAt?.milliseconds)
        binder.bind(entry.name)
        binder.bind(entry.folder)
        binder.bind(entry.url)
        binder.bind(entry.size?.bytes)
        binder.bind(entry.received.bytes)
        binder.bind(word)
        binder.bind(detail)
        binder.bind(entry.worked?.milliseconds)
    }

    /// - Returns: `nil` for a row with invalid values.
    static func read(_ row: Row, _ failures: inout FailureReader) -> HistoryEntry? {
        let outcome: HistoryEntry.Outcome
        switch LedgerState(word: row[8] ?? "", detail: row[9], readFailure: { failures.read($0) }) {
        case .finished(let finished): outcome = .finished(finished)
        case .failed(let failure): outcome = .failed(failure)
        case .cancelled: outcome = .cancelled
        case .unfinished, .paused, nil: return nil
        }
        return HistoryEntry(
            key: LedgerKey(row[0] ?? 0), settledAt: UnixTime(milliseconds: row[1] ?? 0),
            startedAt: (row[2] as Int64?).map(UnixTime.init(milliseconds:)), name: row[3] ?? "", folder: row[4] ?? "",
            url: row[5] ?? "", size: (row[6] as Int64?).map(ByteCount.init(bytes:)),
            received: ByteCount(bytes: row[7] ?? 0), outcome: outcome,
            worked: (row[10] as Int64?).map { .milliseconds($0) })
    }
}
