import WinchModel

/// What was learned of the hosts: how many connections each takes at a time, which of them asked for patience, and which
/// fail again and again.
///
/// A mutating method that may let a host take more connections than before returns whether it does.
package struct ConnectionLimitsByHost: Sendable {
    private var gates: [String: HostConnectionLimit] = [:]
    /// Hosts with connections whose window still widens by itself.
    private var growing: Set<String> = []
    /// Hosts that asked for patience.
    private(set) var closed: Set<String> = []
    /// Hosts that refused connections.
    private var refusers: Set<String> = []
    var faults = FailingMirrors()
    /// What other machines leave to this queue.
    var shares = HostShares()
    var listings = OpenListings()
    /// Connections for one file that hosts were found to allow, or that may turn out to be all they allow.
    private var fileLimits: [String: FileLimit] = [:]
    /// Hosts that refused a further connection of a file and said when to ask again.
    private var furtherFrom: [String: Moment] = [:]
    /// Hosts that reset a further connection of a file, and how many of its connections they had let in.
    private var resets: [String: Int] = [:]
    /// Connections to a host at a time, at most.
    private let perHost: Int
    /// So many hosts are remembered of which nothing was concluded; then those are new again.
    static let mostQuiet = 4096
    /// Connections to a host that has not answered yet, at most.
    private let perNewHost: Int

    init(perHost: Int, perNewHost: Int) { (self.perHost, self.perNewHost) = (perHost, perNewHost) }

    subscript(host: String) -> HostConnectionLimit? { gates[host] }

    /// Connections that the host may have at a time, by what is known now.
    func places(at host: String) -> Int {
        guard let gate = gates[host] else { return min(perHost, perNewHost, shares.places(at: host)) }
        return places(of: gate, host)
    }

    private func places(of gate: HostConnectionLimit, _ host: String) -> Int {
        gate.closedUntil == nil ? min(perHost, gate.window, shares.places(at: host)) : 0
    }

    /// As `places(at:)`, without those that are kept for listings.
    func placesForFiles(at host: String) -> Int { listings.left(of: places(at: host), at: host) }

    /// As `placesForFiles(at:)`, for a file for which the user named the number of connections: they are not opened little by
    /// little when the host answers and has refused none.
    func placesForNamed(at host: String) -> Int {
        guard let gate = gates[host], gate.hasAnswered, !gate.hasRefused, gate.closedUntil == nil else {
            return placesForFiles(at: host)
        }
        return listings.left(of: min(perHost, shares.places(at: host)), at: host)
    }

    mutating func started(_ host: String, at now: Moment) -> Bool {
        defer { noteGrowth(of: host) }
        return change(host) { $0.started(at: now) }
    }

    /// As `HostConnectionLimit.answered`.
    ///
    /// - Parameter served: the transfer to which it sent what was asked for; `nil`: it sent an error.
    mutating func answered(_ host: String, together: Int, served: TransferID?, at now: Moment) -> Bool {
        if shares.areInForce { shares.answered(host) }
        return change(host) { gate in
            gate.answered(together: together, at: now)
            if let served { gate.served(served, at: now) }
        }
    }

    /// As `HostConnectionLimit.refused`.
    mutating func refused(
        _ host: String, _ id: TransferID, beside others: Int, begun: Moment, at now: Moment
    ) -> Bool {
        if shares.areInForce {
            // How many connections the host takes is found out for all machines together.
            shares.refused(host, begun: begun)
            return false
        }
        defer { noteGrowth(of: host) }
        return change(host) { $0.refused(id, beside: others, begun: begun, at: now) }
    }

    /// The host refused the transfer, whatever the reason.
    mutating func noteRefused(_ host: String, _ id: TransferID) { _ = change(host) { $0.lastRefused = id } }

    /// The host refused a further connection of a file beside so many, of all files, that it has let in: it takes no more for
    /// now.
    mutating func refusedFurther(
        _ host: String, _ id: TransferID, beside accepted: Int, begun: Moment, at now: Moment
    ) {
        if shares.areInForce { return shares.refused(host, begun: begun) }
        _ = change(host) { $0.refusedFurther(id, beside: accepted, at: now) }
        noteGrowth(of: host)
    }

    /// A further connection of a file was reset before the server's answer: once may be chance.
    ///
    /// - Parameter accepted: connections of the file that the host has let in.
    /// - Returns: whether it is the second in a row, with no more let in between: then it is a refusal.
    mutating func wasReset(_ host: String, beside accepted: Int) -> Bool {
        if resets.count >= Self.mostQuiet, resets[host] == nil { resets = [:] }
        defer { resets[host] = accepted }
        return resets[host].map { accepted <= $0 } ?? false
    }

    /// The host refused a further connection of a file and asked that the next be opened no sooner than after `wait`: those that
    /// it has let in go on. As what else is learned of a host it ends after an hour.
    mutating func noteFurtherWait(_ wait: Duration, of host: String, at now: Moment) {
        guard furtherFrom[host] != nil || furtherFrom.count < Self.mostQuiet else { return }
        let end = now + min(wait, FileLimit.lifetime)
        furtherFrom[host] = max(end, furtherFrom[host] ?? end)
    }

    /// The host has asked that further connections of files wait.
    func hasFurtherWait(_ host: String) -> Bool { furtherFrom[host] != nil }

    /// The host refused a connection of a file beside so many that it has let in.
    mutating func noteFileLimit(_ connections: Int, of host: String, at now: Moment) {
        if fileLimits.count >= Self.mostQuiet, fileLimits[host] == nil {
            fileLimits = fileLimits.filter { $0.value.endsAt != nil }
        }
        fileLimits[host, default: FileLimit()].refused(beside: connections, at: now)
    }

    /// The host has let in so many connections of one file.
    mutating func noteFurther(_ count: Int, at host: String) {
        if let known = fileLimits[host], count > known.connections { fileLimits[host] = nil }
        if let before = resets[host], count > before { resets[host] = nil }
    }

    /// Connections for one file that the host was found to allow; `nil`: it is not known.
    func allowance(_ host: String) -> Int? { fileLimits[host].flatMap { $0.endsAt == nil ? nil : $0.connections } }

    /// As `HostConnectionLimit.withdrawRefusal`.
    mutating func withdrawRefusal(_ host: String, of id: TransferID) -> Bool {
        defer { noteGrowth(of: host) }
        return change(host) { $0.withdrawRefusal(of: id) }
    }

    /// The host asked that nothing be started before `moment`.
    mutating func close(_ host: String, until moment: Moment) { _ = change(host) { $0.close(until: moment) } }

    /// Other machines leave another part of the host's connections to this queue.
    mutating func share(_ host: String, _ share: HostShare, at now: Moment) -> Bool {
        let before = places(at: host)
        shares.set(share, of: host, at: now)
        return places(at: host) > before
    }

    /// Takes what comes with time alone: the end of a patience, and more connections where none is refused or answered.
    ///
    /// - Parameter connections: open to a host.
    /// - Returns: hosts that take more connections than before, and whether a patience has ended.
    mutating func pass(to now: Moment, connections: (String) -> Int) -> (wider: [String], hasOpened: Bool) {
        var (wider, hasOpened): ([String], Bool) = ([], false)
        if !fileLimits.isEmpty { fileLimits = fileLimits.filter { $0.value.endsAt.map { $0 > now } ?? true } }
        if !furtherFrom.isEmpty { furtherFrom = furtherFrom.filter { $0.value > now } }
        for host in closed where gates[host]?.closedUntil ?? now <= now {
            hasOpened = true
            if change(host, { $0.open() }) { wider.append(host) }
        }
        for host in growing {
            let count = connections(host)
            guard count > 0 else {
                growing.remove(host)
                continue
            }
            guard count >= places(at: host), let due = gates[host]?.growsAt, due <= now else { continue }
            if change(host, { $0.noteSilence(at: now) }) { wider.append(host) }
        }
        return (wider, hasOpened)
    }

    /// When `pass` is due; `nil`: never.
    func nextChange(connections: (String) -> Int) -> Moment? {
        let ends = closed.compactMap { gates[$0]?.closedUntil }
        let growth = growing.compactMap { connections($0) >= places(at: $0) ? gates[$0]?.growsAt : nil }
        return (ends + growth).min()
    }

    /// Hosts that refused connections and are asked for fewer than `most` at a time, sorted.
    func limits(below most: Int) -> [QueueTotals.HostLimit] {
        refusers.sorted().compactMap { host in
            guard let window = gates[host]?.window, window < most else { return nil }
            return QueueTotals.HostLimit(host: host, connections: window)
        }
    }

    /// Takes the gate out and back once, and asks only the sets that have members: this runs twice for each file.
    private mutating func change(_ host: String, _ body: (inout HostConnectionLimit) -> Void) -> Bool {
        if gates.count >= Self.mostQuiet, gates[host] == nil {
            gates = gates.filter { refusers.contains($0.key) || closed.contains($0.key) || growing.contains($0.key) }
        }
        var gate = gates[host] ?? HostConnectionLimit(window: perNewHost)
        let before = places(of: gate, host)
        body(&gate)
        gates[host] = gate
        if gate.hasRefused { refusers.insert(host) } else if !refusers.isEmpty { refusers.remove(host) }
        if gate.closedUntil != nil { closed.insert(host) } else if !closed.isEmpty { closed.remove(host) }
        if !growing.isEmpty, !gate.isGrowing(upTo: perHost) { growing.remove(host) }
        return places(of: gate, host) > before
    }

    private mutating func noteGrowth(of host: String) {
        if gates[host]?.isGrowing(upTo: perHost) ?? false { growing.insert(host) }
    }

    /// The host has brought a whole file.
    mutating func noteCompletedFile(_ host: String) {
        faults.served(host)
        // One more is tried after each success.
        if fileLimits[host]?.endsAt != nil { fileLimits[host]?.raise() }
    }
}

/// How many connections for one file a host was found to allow.
///
/// One refusal may have any cause: it takes several, in different minutes. What was found holds for an hour at most, since
/// servers and their limits change.
struct FileLimit: Hashable, Sendable {
    private(set) var connections = 1
    /// `nil`: more refusals are needed until it holds.
    private(set) var endsAt: Moment?
    private var refusals = 0
    private var countedAt: Moment?

    /// In different minutes.
    static let neededRefusals = 3
    private static let minute = Duration.seconds(60)
    static let lifetime = Duration.seconds(3600)

    /// A connection was refused beside so many of the file.
    mutating func refused(beside accepted: Int, at now: Moment) {
        connections = max(1, accepted)
        if countedAt.map({ now - $0 >= Self.minute }) ?? true { (refusals, countedAt) = (refusals + 1, now) }
        if refusals >= Self.neededRefusals { endsAt = now + Self.lifetime }
    }

    mutating func raise() { connections += 1 }
}

/// Hosts that failed again and again, whichever file it was: the other mirrors of a file come first for a while.
///
/// What a host says of one file (not there, not allowed, another content) is remembered with that file; here it is only
/// counted.
struct FailingMirrors: Sendable {
    private var records: [String: (inRow: Int, until: Moment)] = [:]

    /// Faults in a row that make a host one of the last.
    static let faultLimit = 3
    /// Then it rests so long, and twice as long with each fault more.
    static let firstCooldown = Duration.seconds(60)
    static let longestCooldown = Duration.seconds(1800)
    /// Of more hosts only those that rest are remembered.
    static let mostRecords = 1000

    /// An attempt failed by the host's fault, whichever file it was.
    mutating func failed(_ host: String, at now: Moment) {
        if records.count >= Self.mostRecords { records = records.filter { $0.value.until > now } }
        var record = records[host] ?? (0, now)
        record.inRow += 1
        if record.inRow >= Self.faultLimit {
            let doublings = min(record.inRow - Self.faultLimit, 10)
            record.until = now + min(Self.longestCooldown, Self.firstCooldown * (1 << doublings))
        }
        records[host] = record
    }

    /// It has brought a file.
    mutating func served(_ host: String) {
        if !records.isEmpty { records[host] = nil }
    }

    /// Other mirrors are to be tried first.
    func isCoolingDown(_ host: String, at now: Moment) -> Bool {
        guard let record = records[host] else { return false }
        return record.inRow >= Self.faultLimit && now < record.until
    }

    /// No host has failed: nothing need be asked.
    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }
}
