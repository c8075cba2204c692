import WinchModel

/// How many connections each host gets, and which transfers may start for that reason.
extension TransferQueue {
    /// Lets in what waits for a host that takes more connections than before.
    mutating func admitWaiting(_ host: String) {
        for _ in 0..<max(0, hosts.places(at: host) - slots.taken(at: host)) { unpark(host) }
        feed.noteTotals()
    }

    mutating func noteStart(of id: TransferID, at now: Moment) {
        guard let index = index(of: id) else { return }
        probes.noteStart(at: now)
        let host = rows[index].hostAndPort
        if hosts.started(host, at: now) { admitWaiting(host) }
    }

    /// The host has let the connection in.
    ///
    /// - Parameter isServed: with what was asked for, not with an error.
    mutating func noteAnswer(to connection: Connection, isServed: Bool, at now: Moment) {
        let (host, others) = (connection.host, countAnswered(beside: connection))
        let served = isServed ? connection.id.transfer : nil
        if hosts.answered(host, together: others + 1, served: served, at: now) { admitWaiting(host) }
    }

    /// Connections to its host that are let in and open, of all transfers, without this one.
    mutating func countAnswered(beside connection: Connection) -> Int {
        var count = 0
        for id in active {
            count += ask(id.number - 1) { $0.connections.answered(at: connection.host, except: connection.id) }
        }
        return count
    }

    mutating func noteRefusal(of connection: Connection, at now: Moment) {
        let (host, id) = (connection.host, connection.id.transfer)
        let others = countOpen(besideOneAt: host)
        // Other machines that share the host are told only of what concerns them.
        guard others > 0 || !hosts.shares.areInForce else { return }
        if hosts.refused(host, id, beside: others, begun: connection.startedAt, at: now) { admitWaiting(host) }
        feed.noteTotals()
    }

    /// The host refuses this URL, not the number of connections: what was concluded from earlier refusals is taken back.
    mutating func noteURLsFault(of id: TransferID) {
        guard let host = self[id]?.hostAndPort else { return }
        if hosts.withdrawRefusal(host, of: id) { admitWaiting(host) }
        feed.noteTotals()
    }

    /// Connections to the host, of all machines, that may have been open when one of them was refused, without that one.
    func countOpen(besideOneAt host: String) -> Int {
        max(1, slots.together(at: host)) - 1 + hosts.shares.elsewhere(at: host)
    }

    /// Fewer connections are open than the host has answered together: their number is not why it refuses one.
    func isBelowProven(_ host: String) -> Bool { countOpen(besideOneAt: host) < hosts[host]?.proven ?? 0 }

    /// The host has refused this transfer before and serves others since, or still, over no more connections than it has
    /// answered together.
    mutating func areOthersServed(beside transfer: TransferState, _ connection: Connection) -> Bool {
        guard let gate = hosts[transfer.hostAndPort], isBelowProven(transfer.hostAndPort),
            let refusedAt = transfer.history.refusedAt[transfer.mirror]
        else { return false }
        if let servedAt = gate.servedAt, servedAt > refusedAt { return true }
        return countAnswered(beside: connection) > 0
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

    /// Hosts that take fewer connections than they could be given.
    var hostLimits: [QueueTotals.HostLimit] { hosts.limits(below: min(settings.perHost, settings.slots)) }

    /// For files.
    func hasNoRoom(_ host: String) -> Bool { slots.taken(at: host) >= hosts.placesForFiles(at: host) }

    /// Transfers that could start now if the host had places for them.
    func countParked(at host: String) -> Int {
        let parked = schedule.parked(at: host)
        return min(freeSlots(isListing: false), parked.files) + min(freeSlots(isListing: true), parked.listings)
    }
}

/// Hosts that are shared with other machines.
extension TransferQueue {
    /// Takes the parts of the hosts' connections that this queue gets.
    mutating func share(_ shares: [String: HostShare], at now: Moment) -> [QueueAction] {
        var actions = hosts.shares.areInForce ? [] : stopSizing(at: now)
        hosts.shares.begin()
        feed.noteTotals()
        for (host, share) in shares.sorted(by: { $0.key < $1.key }) {
            if let pause = share.pause, pause > .zero {
                closeGate(host, until: now + min(pause, RetryPolicy.longestRetryAfter))
            }
            if hosts.share(host, share, at: now) { admitWaiting(host) }
            if share.isEnforced { actions += closeSurplus(at: host, beyond: share.places, at: now) }
        }
        let (slots, schedule) = (slots, schedule)
        hosts.shares.forget(at: now) { slots.count(at: $0) == 0 && schedule.parked(at: $0) == (0, 0) }
        return actions
    }

    /// Closes the connections of the last transfers in the queue. They wait, with the bytes they have, and without losing a try.
    private mutating func closeSurplus(at host: String, beyond places: Int, at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for id in order.reversed() where active.contains(id) && slots.count(at: host) > max(0, places) {
            guard let transfer = self[id], transfer.spec.direction == .down,
                transfer.connections.openHosts.contains(host)
            else { continue }
            change(id, at: now, .retrying(in: .zero, failure: Self.leaseEnded)) { $0.waitAgain() }
            actions += transfer.closings(discarding: false)
        }
        return actions
    }

    private static let leaseEnded = TransferFailure.other("other machines have the host's connections")

    /// `nil`: this queue has the hosts for itself.
    var hostUse: [HostUse]? {
        guard hosts.shares.areInForce else { return nil }
        let names = schedule.hostsWithParked.union(hosts.shares.hosts).union(slots.hosts)
        return names.sorted().map { host in
            let accepted = active.reduce(0) { $0 + rows[$1.number - 1].connections.answered(at: host) }
            return hosts.shares.use(
                of: host, open: slots.count(at: host), accepted: accepted, waiting: countParked(at: host))
        }
    }
}

/// The parts of the hosts' connections that other machines leave to this queue.
struct HostShares: Hashable, Sendable {
    private struct Record: Hashable {
        var share = HostShare(places: 0)
        /// When its generation came.
        var since: Moment?
        /// When the last share came.
        var toldAt: Moment?
        var answers = 0
        var refusals = 0
        var pauses = 0
        var pause = Duration.zero
    }

    /// `nil`: this queue has the hosts for itself.
    private var records: [String: Record]?

    var areInForce: Bool { records != nil }

    /// After this time the sender has seen in a `HostUse` that the queue keeps to its last share.
    static let memory = Duration.seconds(60)

    /// From now on hosts are shared with other machines.
    mutating func begin() { records = records ?? [:] }

    /// A share that does not know of the latest refusal opens nothing.
    func places(at host: String) -> Int {
        guard let records else { return .max }
        guard let record = records[host], record.share.refusals >= record.refusals else { return 0 }
        return max(0, record.share.places)
    }

    /// The places of the last share, whether or not something was refused since.
    func granted(at host: String) -> Int { records == nil ? .max : max(0, records?[host]?.share.places ?? 0) }

    func elsewhere(at host: String) -> Int { max(0, records?[host]?.share.elsewhere ?? 0) }

    mutating func set(_ share: HostShare, of host: String, at now: Moment) {
        var record = records?[host] ?? Record()
        if record.since == nil || share.generation > record.share.generation { record.since = now }
        (record.share, record.toldAt) = (share, now)
        records?[host] = record
    }

    /// Of many hosts those are forgotten that have had no place for a while and that no transfer needs: their sender has
    /// forgotten them as well, and its next share begins anew.
    mutating func forget(at now: Moment, where isUnused: (String) -> Bool) {
        guard let known = records, known.count > ConnectionLimitsByHost.mostQuiet else { return }
        records = known.filter { host, record in
            record.share.places > 0 || record.toldAt.map { now - $0 < Self.memory } ?? false || !isUnused(host)
        }
    }

    mutating func answered(_ host: String) { records?[host, default: Record()].answers += 1 }

    /// - Parameter begun: when the refused attempt began.
    mutating func refused(_ host: String, begun: Moment) {
        if let since = records?[host]?.since, begun < since { return }
        records?[host, default: Record()].refusals += 1
    }

    /// The host has asked this machine for a pause: the other machines must know.
    mutating func noteRequest(ofPause pause: Duration, by host: String) {
        records?[host, default: Record()].pauses += 1
        records?[host]?.pause = pause
    }

    /// Hosts that were named in a share, or have answered.
    var hosts: some Collection<String> { (records ?? [:]).keys }

    func use(of host: String, open: Int, accepted: Int, waiting: Int) -> HostUse {
        let record = records?[host]
        var use = HostUse(
            host: host, open: open, accepted: accepted, waiting: waiting, share: record?.share.number ?? 0,
            answers: record?.answers ?? 0, refusals: record?.refusals ?? 0)
        if let record { (use.pauses, use.pause) = (record.pauses, record.pause) }
        return use
    }
}
