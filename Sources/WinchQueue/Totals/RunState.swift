import WinchModel

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

/// Where a run stands: whether it ends, when it last heard of anything, and how long it has worked.
package struct RunState: Sendable {
    /// The user quit: nothing starts any more.
    private(set) var isEnding = false
    /// More transfers follow: nothing is finished before they are in the queue.
    private(set) var isReading = false
    /// `queueFinished` is due when everything is settled.
    private var isRunning = false
    /// When the queue last heard of anything.
    private var lastEvent: Moment?
    private(set) var clock = RunClock()

    /// While bytes move something comes ten times a second. A longer silence means that the process or the machine slept.
    static let longestSilence = Duration.seconds(5)

    /// Something is unsettled.
    mutating func begin() { isRunning = true }

    mutating func end() { isEnding = true }

    mutating func read(_ isReading: Bool) { self.isReading = isReading }

    /// Takes note of an event.
    ///
    /// - Parameter isActive: connections are open.
    /// - Returns: how long the process or the machine slept before it, if it did: no transfer used that time.
    mutating func noteEvent(at now: Moment, isActive: Bool) -> Duration? {
        defer { lastEvent = max(now, lastEvent ?? now) }
        guard isActive, let lastEvent, now - lastEvent > Self.longestSilence else { return nil }
        clock.leaveOut(now - lastEvent)
        return now - lastEvent
    }

    /// Everything is settled.
    ///
    /// - Returns: whether that ends a run.
    mutating func finish() -> Bool {
        defer { isRunning = false }
        return isRunning
    }

    /// - Parameters:
    ///   - count: transfers in the queue; `settled` and `paused` of them.
    ///   - isActive: connections are open.
    mutating func runClock(count: Int, settled: Int, paused: Int, isActive: Bool, at now: Moment) {
        let state: RunClock.State
        if count == 0 {
            state = .idle
        } else if settled == count, !isReading {
            state = .settled
        } else if !isActive, clock.startedAt == nil {
            state = .idle
        } else {
            state = settled + paused == count ? .paused : .working
        }
        clock.enter(state, at: now)
    }
}
