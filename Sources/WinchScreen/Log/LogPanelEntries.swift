import WinchModel

/// The latest entries of the log. An entry keeps its number, so that a view can stay at its place while old entries
/// are dropped.
struct LogPanelEntries: Sendable {
    private var entries: ArraySlice<LogEntry> = []
    /// The number of the oldest entry.
    private(set) var first = 0

    /// 10,000 entries: about a day of a busy queue, and few enough to be filtered at every key press.
    static let most = 10_000

    /// One more than the number of the newest entry.
    var end: Int { first + entries.count }

    subscript(number: Int) -> LogEntry? {
        number >= first && number < end ? entries[entries.startIndex + number - first] : nil
    }

    /// Takes the log that the queue had before this front end joined, or while it had lost its place. Entries of the front end
    /// itself keep their places in time.
    mutating func join(_ log: [LogEntry]) {
        let known = Set(log)
        let own = entries.filter { !known.contains($0) }
        let all = log + own
        self = LogPanelEntries()
        // Stable: entries of the same instant stay in order.
        append(all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element))
    }

    /// Puts entries to their places in time.
    mutating func merge(_ new: [LogEntry]) {
        guard let last = entries.last, let first = new.map(\.at).min(), first < last.at else {
            return append(new.sorted { $0.at < $1.at })
        }
        join(new)
    }

    mutating func append(_ new: some Sequence<LogEntry>) {
        entries.append(contentsOf: new)
        guard entries.count > Self.most else { return }
        let surplus = entries.count - Self.most
        entries.removeFirst(surplus)
        first += surplus
        // A slice keeps removed entries and their texts until it is copied. At an eighth of `most` the copies cost eight
        // moves an entry, and the buffer stays about a megabyte.
        if entries.startIndex > Self.most / 8 { entries = Array(entries)[...] }
    }
}
