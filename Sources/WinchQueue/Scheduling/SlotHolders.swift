import WinchModel

/// Which transfers have open connections, each of which takes one slot, and how many connections each host has.
package struct SlotHolders: Sendable {
    private(set) var holders: Set<TransferID> = []
    /// The hosts of each holder's connections, one entry for each connection.
    private var hostsOfHolder: [TransferID: [String]] = [:]
    /// No host is in it with zero.
    private var byHost: [String: Int] = [:]
    /// Connections that have ended since `beginBatch`.
    private var ended: [String: Int] = [:]
    /// Of transfers that are to go on when their connections have closed.
    var kept = KeptSlots()

    /// Connections open to the host, or being opened.
    func count(at host: String) -> Int { byHost[host, default: 0] }

    /// As `count`, and the places that are kept there.
    func taken(at host: String) -> Int { count(at: host) + kept.count(at: host) }

    /// Connections to the host that may have been open when one of them was refused: those that are open, and those whose end
    /// came in the same batch of reports.
    func together(at host: String) -> Int { count(at: host) + ended[host, default: 0] }

    mutating func beginBatch() { if !ended.isEmpty { ended = [:] } }

    var hosts: some Collection<String> { byHost.keys }

    /// A transfer has opened or closed connections.
    ///
    /// - Parameter hosts: of those that are open now, one entry for each.
    /// - Returns: the hosts of those that it has no more.
    mutating func set(_ id: TransferID, _ hosts: [String]) -> [String] {
        let before = hostsOfHolder[id] ?? []
        for host in before {
            let count = count(at: host)
            byHost[host] = count > 1 ? count - 1 : nil
        }
        for host in hosts { byHost[host, default: 0] += 1 }
        hostsOfHolder[id] = hosts.isEmpty ? nil : hosts
        if hosts.isEmpty { holders.remove(id) } else { holders.insert(id) }
        var freed = before
        for host in hosts {
            if let index = freed.firstIndex(of: host) { freed.remove(at: index) }
        }
        for host in freed { ended[host, default: 0] += 1 }
        return freed
    }
}

/// Slots, and places at hosts, that are kept for transfers whose turn has come while their connections still close: what comes
/// behind them in the list does not start before them.
struct KeptSlots: Sendable {
    private(set) var files = 0
    private(set) var listings = 0
    /// No host is in it with zero.
    private var byHost: [String: Int] = [:]

    /// A connection has closed within milliseconds, on a busy disk within seconds. Where the disk hangs it takes minutes: then
    /// others start.
    static let longest = Duration.seconds(5)

    func count(at host: String) -> Int { byHost[host, default: 0] }

    /// - Parameter sign: 1 or -1.
    mutating func count(_ transfer: TransferState.Summary, sign: Int) {
        guard transfer.keepsSlot else { return }
        if transfer.isListing { listings += sign } else { files += sign }
        let count = count(at: transfer.hostAndPort) + sign
        byHost[transfer.hostAndPort] = count > 0 ? count : nil
    }
}

/// The folders that are listed, or are to be listed next, by host, and what they have beside files.
struct OpenListings: Sendable {
    /// `active` of those that are open have a connection, or a place that is kept for one. No host is in it with none.
    private var byHost: [String: (open: Int, active: Int)] = [:]

    /// Listings that run beside so many files: they are short requests, and show what there is to do.
    static func share(of files: Int) -> Int { max(1, files / 4) }

    /// - Parameter sign: 1 or -1.
    mutating func count(_ transfer: TransferState.Summary, sign: Int) {
        guard transfer.isOpenListing else { return }
        var count = byHost[transfer.hostAndPort] ?? (0, 0)
        count.open += sign
        if transfer.holdsSlot || transfer.keepsSlot { count.active += sign }
        byHost[transfer.hostAndPort] = count.open > 0 ? count : nil
    }

    /// Of the host's places those that files may take: the share of its listings is kept for them, but never the only place.
    func left(of places: Int, at host: String) -> Int {
        guard places > 1, let count = byHost[host] else { return places }
        return places - max(0, min(count.open, Self.share(of: places)) - count.active)
    }
}

/// How many there are of each kind.
struct CountsByKind: Sendable {
    typealias Kind = TransferState.Summary.Kind

    private var counts = Array(repeating: 0, count: Kind.allCases.count)

    subscript(kind: Kind) -> Int { counts[kind.rawValue] }

    /// - Parameter sign: 1 or -1.
    mutating func count(_ kind: Kind, sign: Int) { counts[kind.rawValue] += sign }

    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
    /// Those that are not settled.
    var open: Int { self[.waiting] + self[.backoff] + self[.active] + self[.verifying] + self[.paused] }
}
