import WinchModel

/// Where a run stands: when it began and ended, and how long it worked; pauses and the sleep of the machine are left out.
package struct RunState: Sendable {
    /// The user quit: nothing starts any more.
    var isEnding = false
    /// More transfers follow: nothing is finished before they are in the queue.
    var isReading = false
    /// `queueFinished` is due when everything is settled.
    private var isRunning = false
    /// When the queue last heard of anything.
    private var lastEvent: Moment?
    private(set) var startedAt: Moment?
    private(set) var endedAt: Moment?
    private var worked = Duration.zero
    /// Since when it works; `nil` while everything that is left is paused.
    private var workingSince: Moment?

    /// While bytes move something comes ten times a second. A longer silence means that the process or the machine slept.
    static let longestSilence = Duration.seconds(5)

    /// Something is unsettled.
    mutating func begin() { isRunning = true }

    /// - Parameter isActive: connections are open.
    /// - Returns: how long the process or the machine slept before it, if it did: no transfer used that time.
    mutating func noteEvent(at now: Moment, isActive: Bool) -> Duration? {
        defer { lastEvent = max(now, lastEvent ?? now) }
        guard isActive, let lastEvent, now - lastEvent > Self.longestSilence else { return nil }
        workingSince = workingSince.map { $0 + (now - lastEvent) }
        return now - lastEvent
    }

    /// - Returns: whether a run ends, now that everything is settled.
    mutating func finish() -> Bool {
        defer { isRunning = false }
        return isRunning
    }

    /// - Parameters:
    ///   - count: transfers in the queue; `settled` and `paused` of them.
    ///   - isActive: connections are open.
    mutating func runClock(count: Int, settled: Int, paused: Int, isActive: Bool, at now: Moment) {
        if count > 0, settled == count, !isReading {
            stop(at: now)
            endedAt = endedAt ?? now
            return
        }
        endedAt = nil
        // An empty queue, or one that has not started anything.
        guard count > 0, isActive || startedAt != nil else { return }
        guard settled + paused < count else { return stop(at: now) }
        startedAt = startedAt ?? now
        workingSince = workingSince ?? now
    }

    func worked(at now: Moment) -> Duration { worked + (workingSince.map { max(.zero, now - $0) } ?? .zero) }

    private mutating func stop(at now: Moment) {
        worked = worked(at: now)
        workingSince = nil
    }
}
