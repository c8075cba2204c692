import WinchModel

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
