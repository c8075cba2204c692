import Synchronization

/// Requests that wait for their answers.
final class PendingReplies: Sendable {
    enum Outcome: Sendable {
        case message(NatsMessage)
        case late
        /// The connection was lost, so no answer comes.
        case lost
    }

    private struct Waiting {
        var deadline: ContinuousClock.Instant
        var take: @Sendable (Outcome) -> Void
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
    }

    private let state = Mutex(State())

    /// - Returns: the number by which the answer is known.
    func add(within span: Duration, _ take: @escaping @Sendable (Outcome) -> Void) -> UInt64 {
        let deadline = ContinuousClock.now + span
        return state.withLock { state in
            state.next += 1
            state.waiting[state.next] = Waiting(deadline: deadline, take: take)
            return state.next
        }
    }

    func settle(_ number: UInt64, _ outcome: Outcome) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.take(outcome)
    }

    /// Ends those whose time is over.
    func sweep() {
        let now = ContinuousClock.now
        let late = state.withLock { state in
            let late = state.waiting.filter { $0.value.deadline <= now }
            for number in late.keys { state.waiting[number] = nil }
            return late
        }
        for waiting in late.values { waiting.take(.late) }
    }

    func lose() {
        let all = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waiting in all.values { waiting.take(.lost) }
    }
}
