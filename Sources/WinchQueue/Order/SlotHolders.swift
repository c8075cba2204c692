import WinchModel

/// Which transfers hold a connection, and how many of them each host has.
package struct SlotHolders: Sendable {
    private(set) var holders: Set<TransferID> = []
    /// No host is in it with zero.
    private var byHost: [String: Int] = [:]

    /// Connections open to the host, or being opened.
    func count(at host: String) -> Int { byHost[host, default: 0] }

    /// Hosts with a connection.
    var hosts: some Collection<String> { byHost.keys }

    mutating func take(_ id: TransferID, at host: String) {
        guard holders.insert(id).inserted else { return }
        byHost[host, default: 0] += 1
    }

    /// - Parameter host: the one that the slot was taken for.
    mutating func release(_ id: TransferID, at host: String) {
        guard holders.remove(id) != nil, let count = byHost[host] else { return }
        byHost[host] = count > 1 ? count - 1 : nil
    }
}

/// How many transfers are neither settled, nor in the line, nor on a connection, by the reason.
package struct InactiveCounts: Hashable, Sendable {
    private(set) var verifying = 0
    private(set) var paused = 0
    private(set) var backoff = 0

    /// - Parameter sign: 1 or -1.
    mutating func count(_ inactivity: TransferState.Summary.Inactivity?, sign: Int) {
        switch inactivity {
        case .verifying: verifying += sign
        case .paused: paused += sign
        case .backoff: backoff += sign
        case nil: break
        }
    }
}
