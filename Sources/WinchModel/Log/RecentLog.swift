/// The latest log entries of a queue. They belong to the feed and not to a screen, so that a front end that joins later has
/// them too.
package struct RecentLog: Sendable {
    /// Oldest first. The entries before `first` are no longer part of the log.
    private var entries: [LogEntry] = []
    private var first = 0
    private var builder = LogEntryBuilder()

    /// 1000 entries: the last minutes of a busy queue in about 150 KB.
    package static let most = 1000

    package init() {}

    /// - Parameter entries: of a snapshot, oldest first.
    package init(_ entries: [LogEntry]) { self.entries = entries }

    /// Adds the entries of the next update.
    package mutating func take(_ update: Update) {
        entries += builder.entries(for: update, atMost: Self.most)
        first = max(first, entries.count - Self.most)
        // Removed in blocks, because each removal moves the entries that remain.
        if first >= Self.most {
            entries.removeFirst(first)
            first = 0
        }
    }

    /// The entries, at most `most`, oldest first.
    package var latest: ArraySlice<LogEntry> { entries[first...] }
}
