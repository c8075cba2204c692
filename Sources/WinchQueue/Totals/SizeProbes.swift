import WinchModel

/// Sizes asked for ahead of time, by HEAD, in the order of the queue: which transfers are to be asked about, and which
/// questions are open.
package struct SizeProbes: Sendable {
    /// Transfers to ask about, lazily: a place that no longer holds is dropped when its turn comes.
    private(set) var line = Heap<Schedule.Place>()
    /// Questions without an answer.
    private(set) var open: Set<TransferID> = []
    /// Answers since the last time that nothing was open or due.
    private var answered = 0
    /// Waiting transfers of unknown size, not asked for.
    private(set) var unprobed = 0
    /// Waiting transfers that were asked for.
    private(set) var ahead = 0
    /// Nothing is asked before.
    private(set) var notBefore: Moment?
    /// By host, over HTTP: whether a link outlasts a question.
    private(set) var links: [String: Links] = [:]
    /// Transfers that began since an instant, which is not long ago.
    private var begun: (since: Moment, count: Int)?

    /// Whether the links of a host outlast a question about them.
    enum Links: Hashable, Sendable {
        /// Only this transfer was asked about. What the host sends when its file is requested will tell.
        case onTrial(TransferID)
        /// The host has sent a file of the size that it had named.
        case lasting
        /// It named a size, and then refused the file or sent another: a link may be valid for one request. It is not asked.
        case singleUse
    }

    /// Questions open at a time: enough to be ahead of the downloads, few enough not to hold one up.
    static let mostOpen = 4
    /// Of a long queue only so many waiting transfers are sized ahead.
    static let mostAhead = 1000
    /// Nothing is asked for this long after a transfer was added or came back to wait: a file that is fetched at once needs
    /// no question first.
    static let grace = Duration.milliseconds(250)
    /// 100 a second: where so many transfers begin, those that would be asked about begin within seconds, and a question costs
    /// as much as a small file.
    static let mostBegunInGrace = 25
    /// Transfers looked past at a time when their hosts take no more connections.
    private static let mostPassed = 8

    /// For `sizing k/n`; `nil` when no question is open.
    var progress: QueueTotals.Sizing? {
        guard !open.isEmpty else { return nil }
        let due = min(unprobed, max(0, Self.mostAhead - ahead))
        return QueueTotals.Sizing(answered: answered, asked: answered + open.count + due)
    }

    /// - Parameter sign: 1 or -1.
    mutating func count(_ transfer: TransferState.Summary, sign: Int) {
        if transfer.wantsSizing { unprobed += sign }
        if transfer.isAskedAhead { ahead += sign }
    }

    mutating func retain(where isKept: (TransferID) -> Bool) { line.retain { isKept($0.id) } }

    mutating func enqueue(_ place: Schedule.Place) { line.insert(place) }

    /// Transfers came that may want their sizes asked: of those that keep coming, the first sets the time.
    ///
    /// - Parameter wasIdle: none wanted it before.
    mutating func beginGrace(at now: Moment, wasIdle: Bool) { if wasIdle { notBefore = now + Self.grace } }

    /// A transfer begins. Where many do, the next are not asked about for a while.
    mutating func noteStart(at now: Moment) {
        guard let (since, before) = begun, now - since < Self.grace else { return begun = (now, 1) }
        begun = (since, before + 1)
        if before + 1 >= Self.mostBegunInGrace { notBefore = max(now + Self.grace, notBefore ?? now) }
    }

    /// Takes out the transfers to ask about now, in order, and opens their questions.
    ///
    /// - Parameters:
    ///   - isCurrent: whether the place still holds.
    ///   - mayAsk: whether the host of a transfer takes a question more, beside those that are open.
    mutating func take(
        at now: Moment, isCurrent: (Schedule.Place) -> Bool, mayAsk: (TransferID, Set<TransferID>) -> Bool
    ) -> [TransferID] {
        guard notBefore.map({ $0 <= now }) ?? true else { return [] }
        guard unprobed > 0 else {
            if open.isEmpty { answered = 0 }
            return []
        }
        var (taken, passed): ([TransferID], [Schedule.Place]) = ([], [])
        defer { for place in passed { line.insert(place) } }
        while open.count < Self.mostOpen, ahead + taken.count < Self.mostAhead, let place = line.popFirst() {
            guard isCurrent(place), !open.contains(place.id) else { continue }
            guard mayAsk(place.id, open) else {
                passed.append(place)
                if passed.count < Self.mostPassed { continue } else { break }
            }
            ask(place.id)
            taken.append(place.id)
        }
        return taken
    }

    mutating func ask(_ id: TransferID) { open.insert(id) }

    /// - Parameter known: `nil`: the next transfer of the host is on trial.
    mutating func setLinks(of host: String, _ known: Links?) {
        if links.count >= ConnectionLimitsByHost.mostQuiet, links[host] == nil {
            links = links.filter { $0.value == .singleUse }
        }
        links[host] = known
    }

    /// The links of the host may all be valid for one request: until one has outlasted a question, the others are not asked
    /// about.
    mutating func beginTrial(of host: String, with id: TransferID) {
        if links[host] != .lasting { setLinks(of: host, .onTrial(id)) }
    }

    /// - Returns: `false` when nothing was asked.
    mutating func answer(_ id: TransferID) -> Bool {
        guard open.remove(id) != nil else { return false }
        answered += 1
        return true
    }

    /// - Returns: the transfers whose questions are taken back, ascending.
    mutating func stop() -> [TransferID] {
        defer { (open, answered) = ([], 0) }
        return open.sorted()
    }

    mutating func restartCount() { answered = 0 }

    /// When the first questions are due; `nil`: none is, or something else comes first.
    func nextDue(after now: Moment) -> Moment? {
        guard unprobed > 0, open.isEmpty, let notBefore, notBefore > now else { return nil }
        return notBefore
    }
}

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
            let url = rows[index].url
            if url.scheme.isHTTP { probes.beginTrial(of: rows[index].hostAndPort, with: id) }
            return .probe(ProbeRequest(id: id, url: url, settings: rows[index].spec.settings.sent(to: url)))
        }
    }

    private mutating func takeUnsized(at now: Moment) -> [TransferID] {
        let (rows, schedule, slots, hosts, perHost) = (rows, schedule, slots, hosts, settings.perHost)
        let links = probes.links
        return probes.take(
            at: now,
            isCurrent: { rows[$0.id.number - 1].wantsSizing && schedule.isCurrent($0) },
            mayAsk: { id, open in
                let host = rows[id.number - 1].hostAndPort
                switch links[host] {
                case .singleUse?: return false
                case .onTrial(let other)? where open.contains(other) || rows[other.number - 1].isOnTrial(at: host):
                    return false
                case .onTrial?, nil:
                    let isAsked = open.contains { rows[$0.number - 1].hostAndPort == host }
                    if isAsked, rows[id.number - 1].url.scheme.isHTTP { return false }
                case .lasting?: break
                }
                // A host that is known to take many connections takes a question besides; from one that is not, a question
                // takes the place of a download, and must not be what it refuses.
                let places = hosts.places(at: host)
                guard places > 0, places < perHost else { return places > 0 }
                return slots.taken(at: host) + open.count { rows[$0.number - 1].hostAndPort == host } < places
            })
    }

    /// Compares the size that the host named for a link with that of the file which it sent for it.
    ///
    /// A file that has changed meanwhile looks like a link that is used up. Where others have come as they were named, the next
    /// one decides.
    mutating func judgeLinks(of id: TransferID, named: ByteCount, sent: ByteCount, at now: Moment) {
        let host = rows[id.number - 1].hostAndPort
        switch probes.links[host] {
        case .onTrial(id)?:
            if named == sent { probes.setLinks(of: host, .lasting) } else { noteDeadLink(at: host, at: now) }
        case .lasting?: if named != sent { probes.setLinks(of: host, nil) }
        case .onTrial?, .singleUse?, nil: break
        }
    }

    /// As `judgeLinks`, of a transfer whose size may have been named before.
    mutating func judgeLinks(of id: TransferID, sent: ByteCount, at now: Moment) {
        let index = id.number - 1
        guard rows[index].sizing == .answered, case .probed(let named) = rows[index].size else { return }
        judgeLinks(of: id, named: named, sent: sent, at: now)
    }

    /// The host named a size, and then refused the file or sent another: the question has used up the link. It gets no further
    /// question.
    mutating func noteDeadLink(at host: String, at now: Moment) {
        guard probes.links[host] != .singleUse else { return }
        probes.setLinks(of: host, .singleUse)
        for id in order {
            // One that is paused would be asked about when it waits again.
            guard let index = index(of: id), rows[index].hostAndPort == host, rows[index].sizing == .none else {
                continue
            }
            change(id, at: now, nil) { $0.sizing = .skipped }
        }
    }

    func nextSizing(after now: Moment) -> Moment? { asksForSizes ? probes.nextDue(after: now) : nil }

    /// A server's answer; a download that began meanwhile knows better.
    mutating func takeSize(_ size: ByteCount?, of id: TransferID, at now: Moment) {
        guard probes.answer(id) else { return ignore() }
        // The file may have been requested before the answer came.
        if let size, let index = index(of: id) {
            switch rows[index].size {
            case .declared(let sent), .exact(let sent): judgeLinks(of: id, named: size, sent: sent, at: now)
            case .unknown, .probed: break
            }
        }
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
