import WinchModel

/// Hosts that are shared with other machines.
extension TransferQueue {
    /// Takes the parts of the hosts' connections that this queue gets.
    mutating func share(_ shares: [String: HostShare], at now: Moment) -> [QueueAction] {
        var actions = hosts.shares.areInForce ? [] : stopSizing(at: now)
        hosts.beginSharing()
        feed.noteTotals()
        for (host, share) in shares.sorted(by: { $0.key < $1.key }) {
            if let pause = share.pause, pause > .zero {
                closeGate(host, until: now + min(pause, RetryPolicy.longestRetryAfter))
            }
            if hosts.share(host, share, at: now) { admitWaiting(host) }
            if share.isEnforced { actions += closeSurplus(at: host, beyond: share.places, at: now) }
        }
        return actions
    }

    /// Closes the connections of the last transfers in the queue. They wait, with the bytes they have, and without losing a try.
    private mutating func closeSurplus(at host: String, beyond places: Int, at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for id in order.reversed() where active.contains(id) && slots.count(at: host) > max(0, places) {
            guard let transfer = self[id], transfer.spec.direction == .down,
                transfer.connections.openHosts.contains(host)
            else { continue }
            change(id, at: now, .retrying(in: .zero, failure: Self.leaseEnded)) { next in
                next.close(.keeping)
                next.phase = .waiting
                next.history.tries = max(0, next.history.tries - 1)
            }
            actions += transfer.closings(discarding: false)
        }
        return actions
    }

    private static let leaseEnded = TransferFailure.other("other machines have the host's connections")

    /// `nil`: this queue has the hosts for itself.
    var hostUse: [HostUse]? {
        guard hosts.shares.areInForce else { return nil }
        let free = max(0, settings.slots - active.count)
        var names = Set(hosts.shares.hosts)
        names.formUnion(slots.hosts)
        names.formUnion(schedule.hostsWithParked)
        return names.sorted().map { host in
            let accepted = active.reduce(0) { $0 + rows[$1.number - 1].connections.answered(at: host) }
            return hosts.shares.use(
                of: host, open: slots.count(at: host), accepted: accepted,
                waiting: min(free, schedule.parked(at: host)))
        }
    }
}
