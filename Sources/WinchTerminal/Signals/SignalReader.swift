import CTerminal
import Glibc

/// A signal that a front end handles.
enum SignalEvent: Hashable, Sendable {
    case resized, suspend, continued, interrupt
    /// SIGTERM.
    case terminate
    /// SIGHUP: the terminal is gone.
    case hangUp

    init?(_ number: Int32) {
        switch number {
        case SIGWINCH: self = .resized
        case SIGTSTP: self = .suspend
        case SIGCONT: self = .continued
        case SIGINT: self = .interrupt
        case SIGTERM: self = .terminate
        case SIGHUP: self = .hangUp
        default: return nil
        }
    }
}

/// Reads the signals that `SignalMask` blocks.
final class SignalReader {
    /// Readable while a signal is pending.
    let descriptor: Int32

    init() {
        let kept = SignalMask.kept
        descriptor = winch_signals_open(kept, kept.count)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// All pending signals, in the order of the kernel.
    func take() -> [SignalEvent] {
        var events: [SignalEvent] = []
        while case let number = winch_signals_next(descriptor), number > 0 {
            if let known = SignalEvent(number) { events.append(known) }
        }
        return events
    }
}
