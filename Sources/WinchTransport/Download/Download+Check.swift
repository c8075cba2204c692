import WinchCore

extension Download {
    /// Puts on disk what has come, and looks whether it goes on well enough.
    func check() -> TransferFailure? {
        guard tick() else { return failure }
        if let failure = lookAtDisk() { return failure }
        if let failure, case .discarding = stage, let discardEnd, outbox.now >= discardEnd { return failure }
        if let deadline, outbox.now >= deadline {
            return .timeLimit(seconds: (settings.maxTime ?? request.timeLeft ?? .zero).seconds)
        }
        // Nobody stalls who is not allowed to go on.
        if isHeld { stall = StallWatch(at: outbox.now, bytes: wireBytes) }
        if stall?.hasStalled(at: outbox.now, bytes: wireBytes, allowed: settings.stallTimeout, limit: pacer.limit)
            == true
        {
            return .stalled(seconds: settings.stallTimeout.seconds)
        }
        return crawl()
    }
}
