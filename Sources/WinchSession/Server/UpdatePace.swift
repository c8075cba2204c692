import WinchModel

/// When a client may be sent its next update: 20 a second, fewer if they are long, the first one after quiet at once. After a
/// request of the client an update with more than movements comes earlier, because it may be the effect; the next ones come later
/// by as much.
struct UpdatePace {
    /// When the next one would be due by the pace alone.
    private var next: Moment?
    /// So many may be early.
    private var early = 0

    /// 20 updates a second.
    static let interval = Duration.milliseconds(50)
    /// Between long updates; what another client does is shown within 200 ms.
    private static let longInterval = Duration.milliseconds(100)
    /// 9 kB a second, as long as that takes no more than `longInterval`: enough for one transfer with eight connections.
    private static let bytesPerSecond = 9000
    private static let mostEarly = 3
    /// 150 ms: so much may be sent ahead of the pace. Together with `interval` it is less than the 200 ms above.
    private static let mostAhead = Duration.milliseconds(150)

    /// When the next update is due; `nil`, or a time that is past: at once.
    ///
    /// - Parameter isNotable: it has more than movements.
    func due(isNotable: Bool) -> Moment? {
        isNotable && early > 0 ? next.map { $0 + (.zero - Self.mostAhead) } : next
    }

    func isDue(at now: Moment, isNotable: Bool) -> Bool { due(isNotable: isNotable).map { $0 <= now } ?? true }

    /// The client has asked for something.
    mutating func expectAnswer() { early = Self.mostEarly }

    /// - Parameter bytes: of the update that was sent.
    mutating func noteUpdate(of bytes: Int, at now: Moment) {
        let planned = next ?? now
        if planned > now {
            early -= 1
            next = planned + Self.interval
        } else {
            let span = Duration.milliseconds(bytes * 1000 / Self.bytesPerSecond)
            next = now + min(max(span, Self.interval), Self.longInterval)
        }
    }
}
