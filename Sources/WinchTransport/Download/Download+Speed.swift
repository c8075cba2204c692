import WinchCore

extension Download {
    /// The failure of a body that crawls, when the person set a lowest speed.
    func crawl() -> TransferFailure? {
        guard let floor = settings.lowestSpeed, case .receiving = stage else { return nil }
        var speed = speed ?? SpeedFloor(at: outbox.now, bytes: wireBytes)
        let rate = speed.tooLow(
            at: outbox.now, bytes: wireBytes, floor: floor, limit: pacer.limit, isHeld: isHeld)
        self.speed = speed
        return rate.map { .tooSlow(perSecond: $0.perSecond, seconds: SpeedFloor.span.seconds) }
    }
}
