import WinchModel

/// How many connections each host gets, and which transfers may start for that reason.
extension TransferQueue {
    /// Lets in what waits for a host that takes more connections than before.
    private mutating func letIn(_ host: String) {
        for _ in 0..<max(0, hosts.places(at: host) - slots.count(at: host)) { unpark(host) }
        feed.noteTotals()
    }

    mutating func noteStart(of id: TransferID, at now: Moment) {
        guard let index = index(of: id) else { return }
        let host = rows[index].hostKey
        if hosts.started(host, at: now) { letIn(host) }
    }

    /// The host has let the connection in.
    ///
    /// - Parameter isServed: with what was asked for, not with an error.
    mutating func noteAnswer(to id: TransferID, isServed: Bool, at now: Moment) {
        guard let index = index(of: id) else { return }
        let host = rows[index].hostKey
        let others = active.count { $0 != id && rows[$0.number - 1].hostKey == host && rows[$0.number - 1].isOpen }
        if hosts.answered(host, together: others + 1, isServed: isServed, at: now) { letIn(host) }
    }

    /// The host refused the connection of `id` while others were open.
    mutating func noteRefusal(of id: TransferID, at now: Moment) {
        guard let transfer = self[id], let begun = transfer.history.begun else { return }
        let others = max(1, slots.count(at: transfer.hostKey)) - 1
        guard others > 0 else { return }
        if hosts.refused(transfer.hostKey, id, beside: others, begun: begun, at: now) { letIn(transfer.hostKey) }
        feed.noteTotals()
    }

    /// The host refuses this URL, not the number of connections: what was concluded from earlier refusals is taken back.
    mutating func noteURLsFault(of id: TransferID) {
        guard let host = self[id]?.hostKey else { return }
        if hosts.acquit(host, of: id) { letIn(host) }
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
        for host in wider { letIn(host) }
        if hasOpened { feed.noteTotals() }
    }

    /// When `openGates` is due.
    var nextGateChange: Moment? { hosts.nextChange { slots.count(at: $0) } }

    /// Hosts that take fewer connections than they could be given.
    var hostLimits: [QueueTotals.HostLimit] { hosts.limits(below: min(settings.perHost, settings.slots)) }

    func hasNoRoom(_ host: String) -> Bool { slots.count(at: host) >= hosts.places(at: host) }
}
