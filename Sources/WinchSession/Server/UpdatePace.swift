import WinchModel

/// When a client may be sent its next update: 20 a second, fewer if they are long, the first one after quiet at once. After a
/// request of the client an update with more than movements goes at once, because it may be the effect, for which a user waits.
struct UpdatePace {
    /// When the next one is due by the pace alone.
    private var next: Moment?
    /// So many may be early.
    private var early = 0

    static let interval = Duration.milliseconds(50)
    /// Between long updates; what another client does is shown within 200 ms.
    private static let longInterval = Duration.milliseconds(100)
    /// 9 kB a second, as long as that takes no more than `longInterval`: enough for one transfer with eight connections.
    private static let bytesPerSecond = 9000
    /// The first update after a request may be the effect of an earlier one, and an effect may come in two.
    private static let mostEarly = 3

    /// When the next update is due; `nil`, or a time that is past: at once.
    ///
    /// - Parameter isNotable: it has more than movements.
    func due(isNotable: Bool) -> Moment? { isNotable && early > 0 ? nil : next }

    func isDue(at now: Moment, isNotable: Bool) -> Bool { due(isNotable: isNotable).map { $0 <= now } ?? true }

    mutating func expectAnswer() { early = Self.mostEarly }

    /// - Parameter bytes: of the update that was sent.
    mutating func noteUpdate(of bytes: Int, at now: Moment) {
        if let next, next > now {
            early -= 1
        } else {
            let span = Duration.milliseconds(bytes * 1000 / Self.bytesPerSecond)
            next = now + min(max(span, Self.interval), Self.longInterval)
        }
    }
}
