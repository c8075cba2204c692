import WinchModel

/// Ten times a second: counts, stalls, limits of time.
extension CurlTransport {
    /// A tick that is later than this shows that the process was stopped: the connections did not stall.
    private static let suspension: Duration = .seconds(1)

    /// 20 ms: whether another connection helps is decided after some 60 ms.
    static let glanceSpan = Duration.milliseconds(20)

    /// Reports the bytes of files whose connections are new.
    func glance() {
        let isNeeded = downloads.values.contains { $0.isNew(at: outbox.now) }
        nextGlance = isNeeded ? outbox.now + Self.glanceSpan : nil
        for (connection, _) in connections.values where connection.download.isWatched(at: outbox.now) {
            connection.flush()
        }
    }

    /// The threads of a transport tick at the same instants, so that the engine and the dashboard work once for the reports of all
    /// of them.
    var followingTick: Moment { outbox.now.next(multipleOf: Self.tickSpan) }

    func tick() {
        let late = outbox.now - nextTick
        nextTick = followingTick
        let gap = late > Self.suspension ? late : nil
        for (connection, easy) in connections.values {
            if let gap { connection.speed.exclude(gap) }
            connection.speed.noteTick()
            guard let failure = connection.check() else { continue }
            withdraw(easy)
            fail(connection, failure)
        }
        checkUploads(late: gap)
        endLateDescriptions()
        endLateRemovals()
        for (id, entry) in probes where entry.probe.deadline <= outbox.now {
            probes[id] = nil
            withdraw(entry.easy)
            entry.probe.answer()
        }
    }
}
