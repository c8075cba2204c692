import WinchCore

/// The log's latest lines. Each has a number that it keeps, so that a view stays where it is while old ones go.
struct Journal: Sendable {
    private var entries: ArraySlice<LogEntry> = []
    /// The number of the oldest.
    private(set) var first = 0

    /// A day of a busy queue; small enough to look through at every key.
    static let most = 10_000

    /// The number after the newest.
    var end: Int { first + entries.count }

    subscript(number: Int) -> LogEntry? {
        number >= first && number < end ? entries[entries.startIndex + number - first] : nil
    }

    mutating func append(_ new: some Sequence<LogEntry>) {
        entries.append(contentsOf: new)
        guard entries.count > Self.most else { return }
        let surplus = entries.count - Self.most
        entries.removeFirst(surplus)
        first += surplus
        // A slice keeps what was cut off until it is copied: once in a while.
        if entries.startIndex > Self.most { entries = Array(entries)[...] }
    }
}
