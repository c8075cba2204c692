import WinchModel

/// The words for states in a filter. Several words may apply to a row.
enum StateWord: String, CaseIterable, Sendable {
    case waiting, queued, held, paused, retrying
    case active, connecting, asked, moving, downloading, uploading, stalled, sent, checking, finishing
    case done, finished, skipped, failed, cancelled, canceled

    /// A set of words as bits, so that 100,000 rows are filtered in a few milliseconds.
    struct Bits: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        init(_ words: [StateWord]) {
            rawValue = words.reduce(0) { $0 | 1 << UInt32(StateWord.allCases.firstIndex(of: $1) ?? 31) }
        }

        /// The words that begin with `prefix`.
        init(prefix: String) {
            self.init(StateWord.allCases.filter { $0.rawValue.hasPrefix(prefix) })
        }
    }
}

extension StateWord.Bits {
    private static let waiting = StateWord.Bits([.waiting, .queued])
    private static let held = StateWord.Bits([.waiting, .held])
    private static let paused = StateWord.Bits([.paused])
    private static let retrying = StateWord.Bits([.waiting, .retrying])
    private static let connecting = StateWord.Bits([.active, .connecting])
    private static let asked = StateWord.Bits([.active, .asked])
    private static let downloading = StateWord.Bits([.active, .moving, .downloading])
    private static let uploading = StateWord.Bits([.active, .moving, .uploading])
    private static let stalled = StateWord.Bits([.active, .stalled])
    private static let sent = StateWord.Bits([.active, .sent])
    private static let checking = StateWord.Bits([.active, .checking, .finishing])
    private static let done = StateWord.Bits([.done, .finished])
    private static let skipped = StateWord.Bits([.done, .finished, .skipped])
    private static let failed = StateWord.Bits([.failed])
    private static let cancelled = StateWord.Bits([.cancelled, .canceled])

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
