/// When a run began and ended, and how long it worked: pauses and the sleep of the machine are left out.
struct RunClock: Hashable, Sendable {
    private(set) var startedAt: Moment?
    private(set) var endedAt: Moment?
    private var worked = Duration.zero
    /// Since when it works; `nil` while everything that is left is paused.
    private var workingSince: Moment?

    enum State {
        case idle, working, paused, settled
    }

    /// - Parameter state: from now on; `idle` is an empty queue, or one that has not started anything.
    mutating func enter(_ state: State, at now: Moment) {
        switch state {
        case .idle: endedAt = nil
        case .working:
            startedAt = startedAt ?? now
            workingSince = workingSince ?? now
            endedAt = nil
        case .paused:
            stop(at: now)
            endedAt = nil
        case .settled:
            stop(at: now)
            endedAt = endedAt ?? now
        }
    }

    /// The process slept for so long.
    mutating func leaveOut(_ gap: Duration) {
        workingSince = workingSince.map { $0 + gap }
    }

    func worked(at now: Moment) -> Duration { worked + (workingSince.map { max(.zero, now - $0) } ?? .zero) }

    private mutating func stop(at now: Moment) {
        worked = worked(at: now)
        workingSince = nil
    }
}

extension TransferQueue {
    mutating func runClock(at now: Moment) {
        let state: RunClock.State
        if count == 0 {
            state = .idle
        } else if settled == count {
            state = .settled
        } else if active.isEmpty, clock.startedAt == nil {
            state = .idle
        } else {
            state = settled + resting.paused == count ? .paused : .working
        }
        clock.enter(state, at: now)
    }
}
