import WinchModel

/// What was learned of the hosts: how many connections each takes at a time, which of them asked for patience, and which
/// fail again and again.
///
/// A mutating method that may let a host take more connections than before returns whether it does.
package struct HostGateTable: Sendable {
    private var gates: [String: HostGate] = [:]
    /// Hosts with connections whose window still widens by itself.
    private var growing: Set<String> = []
    /// Hosts that asked for patience.
    private(set) var closed: Set<String> = []
    /// Hosts that refused connections.
    private var refusers: Set<String> = []
    private var faults = MirrorFaults()
    /// Connections for one file that hosts were found to allow.
    private var allowances: [String: Int] = [:]
    /// Connections to a host at a time, at most.
    private let perHost: Int
    /// Connections to a host that has not answered yet, at most.
    private let perNewHost: Int

    init(perHost: Int, perNewHost: Int) {
        (self.perHost, self.perNewHost) = (perHost, perNewHost)
    }

    subscript(host: String) -> HostGate? { gates[host] }

    /// Connections that the host may have at a time, by what is known now.
    func places(at host: String) -> Int {
        guard let gate = gates[host] else { return min(perHost, perNewHost) }
        return gate.closedUntil == nil ? min(perHost, gate.window) : 0
    }

    /// As `places(at:)`, for a file for which the user named the number of connections: they are not opened little by little when
    /// the host answers and has refused none.
    func placesForNamed(at host: String) -> Int {
        guard let gate = gates[host], gate.hasAnswered, !gate.hasRefused, gate.closedUntil == nil else {
            return places(at: host)
        }
        return perHost
    }

    /// A connection to the host begins.
    mutating func started(_ host: String, at now: Moment) -> Bool {
        defer { noteGrowth(of: host) }
        return change(host) { $0.started(at: now) }
    }

    /// The host has let a connection in.
    ///
    /// - Parameters:
    ///   - together: connections that are answered and open now, this one included.
    ///   - isServed: it sent what was asked for, not an error.
    mutating func answered(_ host: String, together: Int, isServed: Bool, at now: Moment) -> Bool {
        change(host) { gate in
            gate.answered(together: together, at: now)
            if isServed { gate.served(at: now) }
        }
    }

    /// The host refused the connection of `id`.
    ///
    /// - Parameters:
    ///   - others: connections open besides, at least 1.
    ///   - begun: when the refused attempt began.
    mutating func refused(
        _ host: String, _ id: TransferID, beside others: Int, begun: Moment, at now: Moment
    ) -> Bool {
        defer { noteGrowth(of: host) }
        return change(host) { $0.refused(id, beside: others, begun: begun, at: now) }
    }

    /// The host refused a further connection of a file beside so many that it has let in: it takes no more for now.
    mutating func refusedFurther(_ host: String, _ id: TransferID, beside accepted: Int, at now: Moment) {
        _ = change(host) { $0.refusedFurther(id, beside: accepted, at: now) }
        noteGrowth(of: host)
    }

    /// The host was found to allow so many connections for one file.
    mutating func remember(_ host: String, allows connections: Int) { allowances[host] = connections }

    /// `nil`: it is not known.
    func allowance(_ host: String) -> Int? { allowances[host] }

    /// The host refuses the URL of `id`, not the number of connections: what was concluded from its earlier refusals is
    /// taken back.
    mutating func withdrawRefusal(_ host: String, of id: TransferID) -> Bool {
        defer { noteGrowth(of: host) }
        return change(host) { $0.withdrawRefusal(of: id) }
    }

    /// The host asked that nothing be started before `moment`.
    mutating func close(_ host: String, until moment: Moment) {
        _ = change(host) { $0.close(until: moment) }
    }

    /// Takes what comes with time alone: the end of a patience, and more connections where none is refused or answered.
    ///
    /// - Parameter connections: open to a host.
    /// - Returns: hosts that take more connections than before, and whether a patience has ended.
    mutating func pass(to now: Moment, connections: (String) -> Int) -> (wider: [String], hasOpened: Bool) {
        var (wider, hasOpened): ([String], Bool) = ([], false)
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

    private mutating func change(_ host: String, _ body: (inout HostGate) -> Void) -> Bool {
        let before = places(at: host)
        body(&gates[host, default: HostGate(window: perNewHost)])
        guard let gate = gates[host] else { return false }
        if gate.hasRefused { refusers.insert(host) } else { refusers.remove(host) }
        if gate.closedUntil == nil { closed.remove(host) } else { closed.insert(host) }
        if !gate.isGrowing(upTo: perHost) { growing.remove(host) }
        return places(at: host) > before
    }

    private mutating func noteGrowth(of host: String) {
        if gates[host]?.isGrowing(upTo: perHost) ?? false { growing.insert(host) }
    }
}

/// Mirrors whose hosts fail again and again.
extension HostGateTable {
    /// No host has failed: nothing need be asked.
    var hasNoFaults: Bool { faults.isEmpty }

    /// An attempt failed by the host's fault, whichever file it was.
    mutating func failed(_ host: String, at now: Moment) { faults.failed(host, at: now) }

    /// The host has brought a whole file.
    mutating func noteCompletedFile(_ host: String) { faults.served(host) }

    /// Other mirrors are to be tried first.
    func isCoolingDown(_ host: String, at now: Moment) -> Bool { faults.isCoolingDown(host, at: now) }
}
