import WinchModel

/// The sizes of waiting downloads, asked for ahead of time.
extension TransferQueue {
    /// Simple mode needs no sizes. At a host that is shared with other machines a question would be a connection more than the
    /// share of this one.
    private var asksForSizes: Bool { settings.mode == .accurate && !hosts.shares.areInForce }

    /// Opens the questions that are due. They hold no download back: they have slots of their own.
    mutating func askSizes(at now: Moment) -> [QueueAction] {
        guard asksForSizes else { return [] }
        return takeUnsized(at: now).compactMap { id in
            change(id, at: now, nil) { $0.sizing = .asked }
            guard let index = index(of: id) else { return nil }
            return .probe(
                ProbeRequest(
                    id: id, url: rows[index].url, settings: rows[index].spec.settings.sent(to: rows[index].url)))
        }
    }

    private mutating func takeUnsized(at now: Moment) -> [TransferID] {
        let (rows, schedule, slots, hosts, perHost) = (rows, schedule, slots, hosts, settings.perHost)
        return probes.take(
            at: now,
            isCurrent: { rows[$0.id.number - 1].wantsSizing && schedule.isCurrent($0) },
            mayAsk: { id, open in
                // A host that is known to take many connections takes a question besides; from one that is not, a question
                // takes the place of a download, and must not be what it refuses.
                let host = rows[id.number - 1].hostKey
                let places = hosts.places(at: host)
                guard places > 0, places < perHost else { return places > 0 }
                return slots.count(at: host) + open.count { rows[$0.number - 1].hostKey == host } < places
            })
    }

    /// The host named a size, and then refused the file: the question has used up the link. It gets no further question.
    mutating func noteDeadLink(at host: String, at now: Moment) {
        guard !probes.unaskedHosts.contains(host) else { return }
        probes.exclude(host)
        for id in order where self[id]?.hostKey == host && self[id]?.wantsSizing == true {
            change(id, at: now, nil) { $0.sizing = .skipped }
        }
    }

    func nextSizing(after now: Moment) -> Moment? {
        asksForSizes ? probes.nextDue(after: now) : nil
    }

    /// A server's answer; a download that began meanwhile knows better.
    mutating func takeSize(_ size: ByteCount?, of id: TransferID, at now: Moment) {
        guard probes.answer(id) else { return ignore() }
        let estimate = sums.estimate
        change(id, at: now, nil) { transfer in
            transfer.sizing = .answered
            guard !transfer.isSettled else { return }
            if let size {
                // A server that names less than there already is knows nothing.
                guard size >= transfer.have else { return }
                transfer.size = transfer.size.refined(by: .probed(size))
            } else if case .unknown = transfer.size {
                transfer.size = .unknown(estimate: max(estimate, transfer.have))
                transfer.setHave(transfer.have)
            }
        }
    }

    /// Closes the open questions; they are asked again if sizes are needed later.
    mutating func stopSizing(at now: Moment) -> [QueueAction] {
        let open = probes.stop()
        for id in open { change(id, at: now, nil) { $0.sizing = .none } }
        return open.map { .stopProbe($0) }
    }
}
