import DequeModule
import Dispatch
import Synchronization

/// Work in the order in which it was added, for threads that wait for it.
final class WorkLine<Work: Sendable>: Sendable {
    private struct State {
        var waiting = Deque<Work>()
        var hasEnded = false
    }

    private let state = Mutex(State())
    /// Signalled for all that was added: a thread that then finds nothing waits again.
    private let changed = DispatchSemaphore(value: 0)

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func add(_ added: [Work]) {
        state.withLock { $0.waiting.append(contentsOf: added) }
        for _ in added { changed.signal() }
    }

    /// Waits until there is something.
    ///
    /// - Returns: `nil` when nothing has come in time, or when nothing is left after `end`.
    func take(until deadline: DispatchTime = .distantFuture) -> Work? {
        while true {
            let (next, hasEnded) = state.withLock { ($0.waiting.popFirst(), $0.hasEnded) }
            if next != nil || hasEnded { return next }
            guard changed.wait(timeout: deadline) == .success else { return nil }
        }
    }

    /// - Parameter threads: that take from this line.
    func end(waking threads: Int) {
        state.withLock { $0.hasEnded = true }
        for _ in 0..<threads { changed.signal() }
    }
}
