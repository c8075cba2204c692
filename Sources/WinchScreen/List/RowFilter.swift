import WinchModel

/// The user's filter for rows: words that must all match, regardless of case.
///
/// `name:x` and `host:x` search for `x` in the name or the host, `state:x` matches a state that begins with `x`. A
/// word alone is searched for in the name, and in the path from a folder on that is downloaded or sent as a whole,
/// or is the whole name of a state; it is not searched for in the host, since otherwise `!1` would hide all rows of
/// the host 127.0.0.1. `!` before a word negates it. An incomplete word, `state:` or `!`, matches every row.
struct RowFilter: Hashable, Sendable {
    private struct Term: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case name(FoldedText)
            case host(FoldedText)
            /// Any of these.
            case state(Set<FilterStateWord>)
            case any(FoldedText, FilterStateWord?)
        }

        var kind: Kind
        var isInverted: Bool
    }

    private let terms: [Term]

    init(_ text: String) { terms = text.split(whereSeparator: \.isWhitespace).compactMap(Self.term) }

    var isEmpty: Bool { terms.isEmpty }

    func matches(_ row: TransferSnapshot) -> Bool {
        for term in terms where Self.holds(term.kind, of: row) == term.isInverted { return false }
        return true
    }

    private static func holds(_ kind: Term.Kind, of row: TransferSnapshot) -> Bool {
        switch kind {
        case .name(let text): text.isIn(row.name)
        case .host(let text): text.isIn(row.host)
        case .state(let states): FilterStateWord.words(of: row).contains(where: states.contains)
        case .any(let text, let state):
            text.isIn(row.name) || state.map { FilterStateWord.words(of: row).contains($0) } ?? false
                || row.hasPath && text.isIn(row.path)
        }
    }

    private static func term(_ word: Substring) -> Term? {
        let bare = word.drop { $0 == "!" }
        let isInverted = (word.count - bare.count) % 2 == 1
        guard !bare.isEmpty else { return nil }
        if let colon = bare.firstIndex(of: ":") {
            let value = String(bare[bare.index(after: colon)...])
            let kind: Term.Kind? =
                switch bare[..<colon].lowercased() {
                case "name": .name(FoldedText(value))
                case "host": .host(FoldedText(value))
                case "state": .state(Set(FilterStateWord.allCases.filter { $0.rawValue.hasPrefix(value.lowercased()) }))
                default: nil  // a port, or a name with a colon in it
                }
            if let kind { return value.isEmpty ? nil : Term(kind: kind, isInverted: isInverted) }
        }
        let state = FilterStateWord(rawValue: bare.lowercased())
        return Term(kind: .any(FoldedText(String(bare)), state), isInverted: isInverted)
    }
}

/// The words for states in a filter. Several words may apply to a row.
enum FilterStateWord: String, CaseIterable, Sendable {
    case waiting, queued, held, paused, retrying
    case active, connecting, asked, moving, downloading, uploading, stalled, sent, checking, finishing
    case done, finished, skipped, failed, cancelled, canceled

    static func words(of row: TransferSnapshot) -> [FilterStateWord] {
        switch row.phase {
        case .waiting(.held): [.waiting, .held]
        case .waiting: [.waiting, .queued]
        case .connecting: [.active, .connecting]
        case .requested: [.active, .asked]
        case .moving where row.stalledSince != nil: [.active, .stalled]
        case .moving: [.active, .moving, row.direction == .down ? .downloading : .uploading]
        case .paused: [.paused]
        case .backoff: [.waiting, .retrying]
        case .replying: [.active, .sent]
        case .verifying: [.active, .checking, .finishing]
        case .finished(.skipped): [.done, .finished, .skipped]
        case .finished: [.done, .finished]
        case .failed: [.failed]
        case .cancelled: [.cancelled, .canceled]
        }
    }
}

/// One of the tabs: which rows the table shows.
enum ListTab: Int, Hashable, Sendable, CaseIterable {
    case all, active, waiting, failed, done

    var word: String {
        switch self {
        case .all: "All"
        case .active: "Active"
        case .waiting: "Waiting"
        case .failed: "Failed"
        case .done: "Done"
        }
    }

    /// Waiting rows are neither active nor settled, so they include paused ones and those between two attempts.
    /// Cancelled rows are with the failed ones: neither have their file, and both can be retried.
    func contains(_ phase: TransferPhase) -> Bool {
        switch self {
        case .all: true
        case .active: phase.isActive
        case .waiting: !phase.isActive && !phase.isSettled
        case .failed:
            switch phase {
            case .failed, .cancelled: true
            default: false
            }
        case .done: if case .finished = phase { true } else { false }
        }
    }

    /// The number of rows that the view contains. As in all counts of grouped rows, those that list folders are left out there,
    /// where they have no lines, unless the queue has nothing else.
    func count(in totals: QueueTotals, isGrouped: Bool) -> Int {
        let listings = totals.listings ?? QueueTotals.Listings(open: 0, done: 0, failed: 0)
        let (files, folders) =
            switch self {
            case .all: (totals.count, listings.open + listings.done)
            case .active: (totals.working, listings.active)
            case .waiting: (totals.waiting + totals.paused + totals.backoff, listings.open - listings.active)
            case .failed: (totals.failed + totals.cancelled, 0)
            case .done: (totals.finished, listings.done)
            }
        return isGrouped && totals.count > 0 ? files : files + folders
    }

    /// The tab `places` further on; wraps around.
    func cycled(by places: Int) -> ListTab {
        let count = Self.allCases.count
        return Self.allCases[((rawValue + places) % count + count) % count]
    }
}
