public import WinchCore

/// What to look up in the history.
public struct HistoryQuery: Hashable, Sendable {
    /// Each must be in the name, the address or the folder; letters match in either case.
    public var words: [String]
    public var isFailedOnly: Bool
    /// Settled then or later.
    public var since: UnixTime?
    /// At most so many; `nil`: all.
    public var limit: Int?

    public init(words: [String] = [], isFailedOnly: Bool = false, since: UnixTime? = nil, limit: Int? = nil) {
        self.words = words
        self.isFailedOnly = isFailedOnly
        self.since = since
        self.limit = limit
    }

    /// Whether it is asked for; the limit is not looked at.
    public func matches(_ entry: HistoryEntry) -> Bool { Matcher(self).matches(entry) }

    /// A query made ready for many entries.
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
    public var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}
