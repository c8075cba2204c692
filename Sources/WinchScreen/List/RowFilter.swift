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
            case state(FilterStateWord.Bits)
            case any(FoldedText, FilterStateWord.Bits)
        }

        var kind: Kind
        var isInverted: Bool
    }

    private let terms: [Term]

    init(_ text: String) {
        terms = text.split(whereSeparator: \.isWhitespace).compactMap(Self.term)
    }

    /// The filter matches every row.
    var isEmpty: Bool { terms.isEmpty }

    /// - Parameter folders: that are listed; a row in one of them has a path below it.
    func matches(_ row: TransferSnapshot, in folders: FolderStarts = FolderStarts()) -> Bool {
        for term in terms where Self.holds(term.kind, of: row, in: folders) == term.isInverted { return false }
        return true
    }

    private static func holds(_ kind: Term.Kind, of row: TransferSnapshot, in folders: FolderStarts) -> Bool {
        switch kind {
        case .name(let text): text.isIn(row.name)
        case .host(let text): text.isIn(row.host)
        case .state(let states): !states.isDisjoint(with: FilterStateWord.Bits(of: row))
        case .any(let text, let states):
            text.isIn(row.name) || !states.isEmpty && !states.isDisjoint(with: FilterStateWord.Bits(of: row))
                || folders.hasPath(row) && text.isIn(folders.path(of: row))
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
                case "state": .state(FilterStateWord.Bits(prefix: value.lowercased()))
                default: nil  // a port, or a name with a colon in it
                }
            if let kind { return value.isEmpty ? nil : Term(kind: kind, isInverted: isInverted) }
        }
        let states = FilterStateWord.Bits(FilterStateWord(rawValue: bare.lowercased()).map { [$0] } ?? [])
        return Term(kind: .any(FoldedText(String(bare)), states), isInverted: isInverted)
    }
}

/// The words for states in a filter. Several words may apply to a row.
enum FilterStateWord: String, CaseIterable, Sendable {
    case waiting, queued, held, paused, retrying
    case active, connecting, asked, moving, downloading, uploading, stalled, sent, checking, finishing
    case done, finished, skipped, failed, cancelled, canceled

    /// A set of words as bits, so that 100,000 rows are filtered in a few milliseconds.
    struct Bits: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        init(_ words: [FilterStateWord]) {
            rawValue = words.reduce(0) { $0 | 1 << UInt32(FilterStateWord.allCases.firstIndex(of: $1) ?? 31) }
        }

        /// The words that begin with `prefix`.
        init(prefix: String) {
            self.init(FilterStateWord.allCases.filter { $0.rawValue.hasPrefix(prefix) })
        }
    }
}

extension FilterStateWord.Bits {
    private static let waiting = FilterStateWord.Bits([.waiting, .queued])
    private static let held = FilterStateWord.Bits([.waiting, .held])
    private static let paused = FilterStateWord.Bits([.paused])
    private static let retrying = FilterStateWord.Bits([.waiting, .retrying])
    private static let connecting = FilterStateWord.Bits([.active, .connecting])
    private static let asked = FilterStateWord.Bits([.active, .asked])
    private static let downloading = FilterStateWord.Bits([.active, .moving, .downloading])
    private static let uploading = FilterStateWord.Bits([.active, .moving, .uploading])
    private static let stalled = FilterStateWord.Bits([.active, .stalled])
    private static let sent = FilterStateWord.Bits([.active, .sent])
    private static let checking = FilterStateWord.Bits([.active, .checking, .finishing])
    private static let done = FilterStateWord.Bits([.done, .finished])
    private static let skipped = FilterStateWord.Bits([.done, .finished, .skipped])
    private static let failed = FilterStateWord.Bits([.failed])
    private static let cancelled = FilterStateWord.Bits([.cancelled, .canceled])

    /// The words that apply to a row.
    init(of row: TransferSnapshot) {
        self =
            switch row.phase {
            case .waiting(.held): Self.held
            case .waiting: Self.waiting
            case .connecting: Self.connecting
            case .requested: Self.asked
            case .moving where row.stalledSince != nil: Self.stalled
            case .moving: row.direction == .down ? Self.downloading : Self.uploading
            case .paused: Self.paused
            case .backoff: Self.retrying
            case .replying: Self.sent
            case .verifying: Self.checking
            case .finished(.skipped): Self.skipped
            case .finished: Self.done
            case .failed: Self.failed
            case .cancelled: Self.cancelled
            }
    }
}

/// One of the tabs: which rows the table shows.
enum ListTab: Int, Hashable, Sendable, CaseIterable {
    case all, active, waiting, failed, done

    /// The word on the tab.
    var word: String {
        switch self {
        case .all: "All"
        case .active: "Active"
        case .waiting: "Waiting"
        case .failed: "Failed"
        case .done: "Done"
        }
    }

    /// The key that shows it.
    var key: Key { .character(Character(String(rawValue + 1))) }

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

    /// The number of rows that the view contains.
    func count(in totals: QueueTotals) -> Int {
        switch self {
        case .all: totals.count
        case .active: totals.working
        case .waiting: totals.waiting + totals.paused + totals.backoff
        case .failed: totals.failed + totals.cancelled
        case .done: totals.finished
        }
    }

    /// The tab `places` further on; wraps around.
    func cycled(by places: Int) -> ListTab {
        let count = Self.allCases.count
        return Self.allCases[((rawValue + places) % count + count) % count]
    }
}
