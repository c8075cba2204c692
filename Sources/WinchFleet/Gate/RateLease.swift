import WinchModel

/// What one worker knows of the limit of its run: its part of the bytes a second.
struct RateLease: Sendable {
    /// Of all workers together; `nil`: none.
    var limit: Double?
    /// What this worker moves.
    var moving = 0.0
    private(set) var leases: Leases?
    private(set) var revision: UInt64?
    var isBusy = false
    var pending: Leases?
    /// What the queue may move; `nil`: it was not told yet.
    var granted: Int?
    var readAt: Moment?

    /// Its parts are read and changed so often.
    static let interval = Duration.seconds(1)
    /// A worker that moves so much of its part could use more.
    private static let busyPart = 0.75
    private static let headroom = 1.25

    /// Nothing may move before the part is known.
    var isReady: Bool { limit == nil || granted ?? 0 > 0 }

    mutating func note(_ new: Leases?, _ revision: UInt64?, at now: Moment) {
        (leases, self.revision, isBusy, readAt) = (new, revision, false, now)
    }

    mutating func lose() { (granted, isBusy, pending) = (nil, false, nil) }

    /// What this worker could use. One that is slow by itself leaves the rest to others, but for a part from which it can grow.
    func need(_ isWorking: Bool, among workers: Int) -> Int {
        guard isWorking, let limit else { return 0 }
        guard let granted, granted > 0, moving < Self.busyPart * Double(granted) else { return Int(min(limit, 1e15)) }
        return max(1, Int(min(1e15, max(moving * Self.headroom, limit / Double(4 * max(1, workers))))))
    }

    /// Workers that hold a part.
    var rivals: Set<String> { limit == nil ? [] : Set((leases ?? Leases()).holders.keys) }
}
