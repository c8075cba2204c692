import Glibc
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

extension UnixTime {
    /// A time in the past as the user writes it.
    ///
    /// - Parameter text: `90m`, `12h`, `7d`, `2w`: this long before `now`; `2026-11-21` or `2026-11-21 18:30` (also with a `T`):
    ///   in the user's time zone.
    /// - Returns: `nil` for any other text, and for dates that do not exist.
    package init?(since text: String, now: UnixTime) {
        let units: [Substring: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        if let seconds = units[text.suffix(1)] {
            guard text.utf8.count <= 7, let count = Int64(digits: text.dropLast()) else { return nil }
            self.init(milliseconds: now.milliseconds - count * seconds * 1000)
            return
        }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        let days = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let clock = halves.count > 1 ? halves[1].split(separator: ":", omittingEmptySubsequences: false) : ["0", "0"]
        let numbers = (days + clock).compactMap { $0.utf8.count <= 4 ? Int32(digits: $0) : nil }
        guard days.count == 3, clock.count == 2, numbers.count == 5, numbers[0] >= 1970 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min) = (numbers[3], numbers[4])
        // -1: mktime determines whether daylight saving time is in effect.
        parts.tm_isdst = -1
        // A date that does not exist becomes another one.
        var known = parts
        timegm(&known)
        guard
            (known.tm_mon, known.tm_mday, known.tm_hour, known.tm_min)
                == (parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min)
        else { return nil }
        self.init(milliseconds: Int64(mktime(&parts)) * 1000)
    }

    /// The calendar time as `strftime` writes it; empty when the calendar has no such time, or for more than 63 bytes.
    ///
    /// - Parameter isLocal: in the user's time zone, else in UTC.
    package func text(_ format: String, isLocal: Bool = false) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard (isLocal ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }
}
