import WinchModel

/// Attempts that failed because the host was not found or not reached: the cause may be this machine's network, which
/// libcurl's result does not show.
extension CurlTransport {
    struct Doubt {
        var connection: ConnectionID
        var failure: TransferFailure
    }

    /// Asks the system on a thread of its own, once for each host at a time; the attempt keeps its place until then.
    func ask(about host: String, for download: Download, after failure: TransferFailure) {
        let doubt = Doubt(connection: download.request.connection, failure: failure)
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
            guard let (download, easy) = downloads[doubt.connection.transfer],
                download.request.connection == doubt.connection
            else { continue }
            download.fail(answer.judgement(of: doubt.failure, host: host))
            rest(easy, of: download)
        }
    }
}
