import WinchModel

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
