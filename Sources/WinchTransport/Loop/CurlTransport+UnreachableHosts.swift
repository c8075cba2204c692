import WinchModel

/// Attempts that failed because the host was not found or not reached: the cause may be this machine's network, which
/// libcurl's result does not show.
extension CurlTransport {
    struct PendingLookup {
        var connection: ConnectionID
        var failure: TransferFailure
    }

    /// Asks the system on a thread of its own, once for each host at a time; the attempt keeps its place until then.
    func ask(about host: String, for connection: any FileConnection, after failure: TransferFailure) {
        let pendingLookup = PendingLookup(connection: connection.id, failure: failure)
        pendingLookups[host, default: []].append(pendingLookup)
        guard pendingLookups[host]?.count == 1 else { return }
        let (lookUp, inbox) = (lookUp, inbox)
        let isAsked = Threads.start {
            inbox.post(.looked(host: host, lookUp(host)))
        }
        if !isAsked { looked(up: host, .noSuchName) }
    }

    func looked(up host: String, _ answer: NameLookup.Answer) {
        for pendingLookup in pendingLookups.removeValue(forKey: host) ?? [] {
            guard let (connection, easy) = connections[pendingLookup.connection] else { continue }
            fail(connection, answer.judgement(of: pendingLookup.failure, host: host))
            giveBack(easy)
        }
    }
}
