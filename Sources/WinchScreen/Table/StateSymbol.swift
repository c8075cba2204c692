import WinchModel

/// The symbol of a row's state, at the left of its name; the details, the footer and the spoken list of attempts use the same.
enum StateSymbol: CaseIterable, Hashable {
    case waiting, working, downloading, uploading, paused, retrying, done, failed, cancelled

    init(_ phase: TransferPhase, _ direction: Direction) {
        self =
            switch phase {
            case .waiting: .waiting
            case .connecting, .requested, .replying, .verifying: .working
            case .moving: direction == .down ? .downloading : .uploading
            case .paused: .paused
            case .backoff: .retrying
            case .finished: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }

    /// One column wide.
    func character(isASCII: Bool) -> Character {
        switch self {
        case .waiting: isASCII ? "." : "·"
        case .working: isASCII ? "o" : "○"
        case .downloading: isASCII ? "v" : "↓"
        case .uploading: isASCII ? "^" : "↑"
        case .paused: isASCII ? "=" : "‖"
        case .retrying: isASCII ? "@" : "↻"
        case .done: isASCII ? "+" : "✓"
        case .failed: isASCII ? "x" : "✗"
        case .cancelled: isASCII ? "-" : "–"
        }
    }
}
