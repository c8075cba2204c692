import WinchCore

/// Ten times a second: counts, stalls, limits of time.
extension CurlTransport {
    /// Later than this the process was stopped, and nobody's connection is to blame.
    private static let suspension: Duration = .seconds(1)

    func tick() {
        let late = outbox.now - nextTick
        nextTick = outbox.now + Self.tickSpan
        let gap = late > Self.suspension ? late : nil
        for (id, entry) in downloads {
            if let gap {
                entry.download.stall?.forgive(gap)
                entry.download.speed?.forgive(gap)
                entry.download.deadline = entry.download.deadline.map { $0 + gap }
            }
            guard let failure = entry.download.check() else { continue }
            downloads[id] = nil
            withdraw(entry.easy)
            entry.download.fail(failure)
        }
        for (id, entry) in probes where entry.probe.deadline <= outbox.now {
            probes[id] = nil
            withdraw(entry.easy)
            entry.probe.answer()
        }
    }
}

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
