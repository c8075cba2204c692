/// Sizes asked for ahead of time, by HEAD, in the order of the queue.
struct Sizer: Sendable {
    /// Those that nobody has asked for, lazily: an entry that no longer holds is dropped when its turn comes.
    var line = Heap<WaitingLine.Place>()
    var open: Set<TransferID> = []
    /// Since the last time that nothing was open or due.
    var answered = 0
    /// Waiting transfers of unknown size, not asked for.
    var unasked = 0
    /// Waiting transfers that were asked for.
    var ahead = 0
    /// Nothing is asked before.
    var notBefore: Moment?
}

extension TransferQueue {
    /// For `sizing k/n`.
    var sizingCounts: QueueTotals.Sizing {
        let due = min(sizer.unasked, max(0, QueueSettings.sizingWindow - sizer.ahead))
        return QueueTotals.Sizing(answered: sizer.answered, asked: sizer.answered + sizer.open.count + due)
    }

    /// Opens as many questions as there is room for. Never holds a download back: they have slots of their own.
    mutating func askSizes(at now: Moment) -> [QueueAction] {
        guard settings.mode == .accurate, sizer.notBefore.map({ $0 <= now }) ?? true else { return [] }
        guard sizer.unasked > 0 else {
            if sizer.open.isEmpty { sizer.answered = 0 }
            return []
        }
        var actions: [QueueAction] = []
        var passed: [WaitingLine.Place] = []
        defer { for place in passed { sizer.line.insert(place) } }
        while sizer.open.count < QueueSettings.sizingAtOnce, sizer.ahead < QueueSettings.sizingWindow,
            let place = sizer.line.popFirst()
        {
            guard let transfer = self[place.id], transfer.wantsSizing, transfer.rank == place.rank else { continue }
            guard mayAsk(transfer.hostKey) else {
                passed.append(place)
                if passed.count < Self.mostPassed { continue } else { break }
            }
            sizer.open.insert(place.id)
            change(place.id, at: now, nil) { $0.sizing = .asked }
            actions.append(.probe(ProbeRequest(id: place.id, url: transfer.url, settings: transfer.spec.settings)))
        }
        return actions
    }

    /// Transfers looked past at a time when their hosts take no more connections.
    private static let mostPassed = 8

    /// A host that is known to take many connections takes a question besides; from one that is not, a question takes the
    /// place of a download, and must not be what it refuses.
    private func mayAsk(_ host: String) -> Bool {
        let places = hosts.places(at: host)
        guard places > 0, places < settings.perHost else { return places > 0 }
        let asked = sizer.open.count { self[$0]?.hostKey == host }
        return slots.count(at: host) + asked < places
    }

    func nextSizing(after now: Moment) -> Moment? {
        guard settings.mode == .accurate, sizer.unasked > 0, sizer.open.isEmpty, let due = sizer.notBefore, due > now
        else { return nil }
        return due
    }

    /// A server's answer; a download that began meanwhile knows better.
    mutating func takeSize(_ size: ByteCount?, of id: TransferID, at now: Moment) {
        guard sizer.open.remove(id) != nil else { return ignored += 1 }
        sizer.answered += 1
        let estimate = known.estimate
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

    /// In simple mode nobody needs the sizes.
    mutating func stopSizing(at now: Moment) -> [QueueAction] {
        let open = sizer.open.sorted()
        sizer.open = []
        sizer.answered = 0
        for id in open { change(id, at: now, nil) { $0.sizing = .none } }
        return open.map { .stopProbe($0) }
    }
}
