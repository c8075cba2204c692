import WinchModel

/// When the bytes of a part are to be synced while they come. One at a time.
struct PartSyncSchedule {
    private var last: Moment
    private var isPending = false

    /// 10 s: no more than comes in that time is lost with the power.
    private static let span: Duration = .seconds(10)

    init(at now: Moment) { last = now }

    /// - Returns: true when a checkpoint is to be made now; `ended` must follow.
    mutating func isDue(at now: Moment) -> Bool {
        guard !isPending, now - last >= Self.span else { return false }
        (isPending, last) = (true, now)
        return true
    }

    mutating func ended() { isPending = false }
}
