/// What was learned of each host, and which of them change by themselves with time.
struct HostGates: Sendable {
    private var gates: [String: HostGate] = [:]
    /// Hosts with connections whose window still widens by itself.
    var growing: Set<String> = []
    /// Hosts that asked for patience.
    var closed: Set<String> = []
    /// Hosts that refused connections.
    private(set) var refusers: Set<String> = []

    subscript(host: String) -> HostGate? { gates[host] }

    /// Connections that the host may have at a time, by what is known now.
    func places(at host: String, _ settings: QueueSettings) -> Int {
        guard let gate = gates[host] else { return min(settings.perHost, settings.perNewHost) }
        return gate.closedUntil == nil ? min(settings.perHost, gate.window) : 0
    }

    mutating func change(_ host: String, _ settings: QueueSettings, _ body: (inout HostGate) -> Void) {
        body(&gates[host, default: HostGate(window: settings.perNewHost)])
        guard let gate = gates[host] else { return }
        if gate.hasRefused { refusers.insert(host) } else { refusers.remove(host) }
        if gate.closedUntil == nil { closed.remove(host) } else { closed.insert(host) }
        if !gate.isGrowing(upTo: settings.perHost) { growing.remove(host) }
    }
}

extension TransferQueue {
    func places(at host: String) -> Int { gates.places(at: host, settings) }

    /// Changes what is known of a host, and lets in who may come then.
    private mutating func changeGate(_ host: String, _ body: (inout HostGate) -> Void) {
        let before = places(at: host)
        gates.change(host, settings, body)
        let after = places(at: host)
        guard after > before else { return }
        for _ in 0..<max(0, after - activeByHost[host, default: 0]) { unpark(host) }
    }

    mutating func noteStart(of id: TransferID, at now: Moment) {
        guard let index = index(of: id) else { return }
        let host = rows[index].hostKey
        changeGate(host) { $0.started(at: now) }
        if gates[host]?.isGrowing(upTo: settings.perHost) ?? false { gates.growing.insert(host) }
    }

    /// The host has let the connection in.
    ///
    /// - Parameter isServed: with what was asked for, not with an error.
    mutating func noteAnswer(to id: TransferID, isServed: Bool, at now: Moment) {
        guard let index = index(of: id) else { return }
        let host = rows[index].hostKey
        let others = active.count { $0 != id && rows[$0.number - 1].hostKey == host && rows[$0.number - 1].isOpen }
        changeGate(host) { gate in
            gate.answered(together: others + 1, at: now)
            if isServed { gate.served(at: now) }
        }
    }

    /// The host had no room beside the connections that are open, that of `id` not counted.
    mutating func noteRefusal(of id: TransferID, at now: Moment) {
        guard let transfer = self[id], let begun = transfer.effort.begun else { return }
        let others = activeByHost[transfer.hostKey, default: 1] - 1
        guard others > 0 else { return }
        changeGate(transfer.hostKey) { $0.refused(id, beside: others, begun: begun, at: now) }
        noteGrowth(of: transfer.hostKey)
    }

    /// The host refuses this URL, not the number of connections: what was concluded from earlier refusals is taken back.
    mutating func noteURLsFault(of id: TransferID) {
        guard let host = self[id]?.hostKey else { return }
        changeGate(host) { $0.acquit(of: id) }
        noteGrowth(of: host)
    }

    private mutating func noteGrowth(of host: String) {
        if gates[host]?.isGrowing(upTo: settings.perHost) ?? false { gates.growing.insert(host) }
        feed.areTotalsChanged = true
    }

    /// The host has served another since it refused this transfer, and has answered as many connections at a time as are
    /// open now.
    func areOthersServed(beside transfer: TransferState) -> Bool {
        guard let gate = gates[transfer.hostKey], let servedAt = gate.servedAt,
            let refusedAt = transfer.effort.refusedAt[transfer.mirror]
        else { return false }
        return servedAt > refusedAt && activeByHost[transfer.hostKey, default: 0] <= gate.proven
    }

    mutating func closeGate(_ host: String, until moment: Moment) {
        changeGate(host) { $0.close(until: moment) }
        feed.areTotalsChanged = true
    }

    /// What comes with time alone: the end of a patience, and more connections where none is refused or answered.
    mutating func openGates(at now: Moment) {
        for host in gates.closed where gates[host]?.closedUntil ?? now <= now {
            changeGate(host) { $0.open() }
            feed.areTotalsChanged = true
        }
        for host in gates.growing {
            guard let active = activeByHost[host] else {
                gates.growing.remove(host)
                continue
            }
            guard active >= places(at: host), let due = gates[host]?.growsAt, due <= now else { continue }
            changeGate(host) { $0.keptSilent(at: now) }
        }
    }

    /// When `openGates` is due.
    var nextGateChange: Moment? {
        let ends = gates.closed.compactMap { gates[$0]?.closedUntil }
        let growth = gates.growing.compactMap { host in
            activeByHost[host, default: 0] >= places(at: host) ? gates[host]?.growsAt : nil
        }
        return (ends + growth).min()
    }

    /// Hosts that take fewer connections than they could be given.
    var hostLimits: [QueueTotals.HostLimit] {
        let most = min(settings.perHost, settings.slots)
        return gates.refusers.sorted().compactMap { host in
            guard let window = gates[host]?.window, window < most else { return nil }
            return QueueTotals.HostLimit(host: host, connections: window)
        }
    }
}
