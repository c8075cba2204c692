package import WinchModel

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
