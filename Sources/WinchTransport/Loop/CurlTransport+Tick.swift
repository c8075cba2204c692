import WinchModel

/// Ten times a second: counts, stalls, limits of time.
extension CurlTransport {
    /// A tick that is later than this shows that the process was stopped: the connections did not stall.
    private static let suspension: Duration = .seconds(1)

    func tick() {
        let late = outbox.now - nextTick
        nextTick = outbox.now + Self.tickSpan
        let gap = late > Self.suspension ? late : nil
        for (id, entry) in connections {
            if let gap {
                entry.connection.speed.exclude(gap)
            }
            guard let failure = entry.connection.check() else { continue }
            connections[id] = nil
            withdraw(entry.easy)
            entry.connection.fail(failure)
        }
        for (id, entry) in probes where entry.probe.deadline <= outbox.now {
            probes[id] = nil
            withdraw(entry.easy)
            entry.probe.answer()
        }
    }
}
