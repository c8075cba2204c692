import WinchModel

/// How many connections each host gets, and which transfers may start for that reason.
extension TransferQueue {
    /// Lets in what waits for a host that takes more connections than before.
    mutating func admitWaiting(_ host: String) {
        for _ in 0..<max(0, hosts.places(at: host) - slots.count(at: host)) { unpark(host) }
        feed.noteTotals()
    }

    mutating func noteStart(of id: TransferID, at now: Moment) {
        guard let index = index(of: id) else { return }
        probes.noteStart(at: now)
        let host = rows[index].hostKey
        if hosts.started(host, at: now) { admitWaiting(host) }
    }

    /// The host has let the connection in.
    ///
    /// - Parameter isServed: with what was asked for, not with an error.
    mutating func noteAnswer(to connection: Connection, isServed: Bool, at now: Moment) {
        let host = connection.host
        var others = 0
        for id in active { others += ask(id.number - 1) { $0.countAnswered(at: host, except: connection.id) } }
        if hosts.answered(host, together: others + 1, isServed: isServed, at: now) { admitWaiting(host) }
    }

    /// The host refused a connection while others were open.
    mutating func noteRefusal(of connection: Connection, at now: Moment) {
        let (host, id) = (connection.host, connection.id.transfer)
        let others = max(1, slots.together(at: host)) - 1 + hosts.shares.elsewhere(at: host)
        guard others > 0 else { return }
        if hosts.refused(host, id, beside: others, begun: connection.startedAt, at: now) { admitWaiting(host) }
        feed.noteTotals()
    }

    /// The host refuses this URL, not the number of connections: what was concluded from earlier refusals is taken back.
    mutating func noteURLsFault(of id: TransferID) {
        guard let host = self[id]?.hostKey else { return }
        if hosts.withdrawRefusal(host, of: id) { admitWaiting(host) }
        feed.noteTotals()
    }

    /// The host has served another since it refused this transfer, and has answered as many connections at a time as are
    /// open now.
    func areOthersServed(beside transfer: TransferState) -> Bool {
        guard let gate = hosts[transfer.hostKey], let servedAt = gate.servedAt,
            let refusedAt = transfer.history.refusedAt[transfer.mirror]
        else { return false }
        return servedAt > refusedAt && slots.count(at: transfer.hostKey) <= gate.proven
    }

    mutating func closeGate(_ host: String, until moment: Moment) {
        hosts.close(host, until: moment)
        feed.noteTotals()
    }

    /// What comes with time alone.
    mutating func openGates(at now: Moment) {
        let slots = slots
        let (wider, hasOpened) = hosts.pass(to: now) { slots.count(at: $0) }
        for host in wider { admitWaiting(host) }
        if hasOpened { feed.noteTotals() }
    }

    /// When `openGates` is due.
    var nextGateChange: Moment? { hosts.nextChange { slots.count(at: $0) } }

    /// Hosts that take fewer connections than they could be given.
    var hostLimits: [QueueTotals.HostLimit] { hosts.limits(below: min(settings.perHost, settings.slots)) }

    func hasNoRoom(_ host: String) -> Bool { slots.count(at: host) >= hosts.places(at: host) }
}
