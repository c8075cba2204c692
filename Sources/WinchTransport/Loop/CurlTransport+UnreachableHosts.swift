import WinchModel

/// Attempts that failed because the host was not found or not reached: the cause may be this machine's network, which
/// libcurl's result does not show.
extension CurlTransport {
    struct Doubt {
        var connection: ConnectionID
        var failure: TransferFailure
    }

    /// Asks the system on a thread of its own, once for each host at a time; the attempt keeps its place until then.
    func ask(about host: String, for connection: Connection, after failure: TransferFailure) {
        let doubt = Doubt(connection: connection.id, failure: failure)
        doubts[host, default: []].append(doubt)
        guard doubts[host]?.count == 1 else { return }
        let (lookUp, inbox) = (lookUp, inbox)
        let isAsked = Threads.start {
            inbox.post(.looked(host: host, lookUp(host)))
        }
        if !isAsked { looked(up: host, .noSuchName) }
    }

    func looked(up host: String, _ answer: NameLookup.Answer) {
        for doubt in doubts.removeValue(forKey: host) ?? [] {
            guard let (connection, easy) = connections[doubt.connection.transfer],
                connection.id == doubt.connection
            else { continue }
            connection.fail(answer.judgement(of: doubt.failure, host: host))
            rest(easy, of: connection)
        }
    }
}
