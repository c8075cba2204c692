import WinchBatch
import WinchModel

/// Metalinks that servers name for files.
extension CurlTransport {
    func describe(_ id: TransferID) {
        guard let download = downloads[id], let url = download.describedBy, download.isAwaitingDescription else {
            return
        }
        if let (_, easy) = descriptions.removeValue(forKey: id) { withdraw(easy) }
        let description = DescriptionRequest(url, for: download, at: outbox.now)
        do throws(TransferFailure) {
            let easy = try begin(description.easyRequest, for: description, at: description.server)
            description.easy = easy
            descriptions[id] = (description, easy)
        } catch {
            take(nil, of: download)
        }
    }

    /// The request has ended in libcurl.
    func ended(_ description: DescriptionRequest, _ code: CurlCode, _ easy: EasyHandle) {
        let file = description.end(code)
        giveBack(easy)
        guard let download = description.download else {
            return descriptions = descriptions.filter { $0.value.easy !== easy }
        }
        descriptions[download.request.transfer] = nil
        take(file, of: download)
    }

    /// Files wait no longer for servers that do not answer.
    func endLateDescriptions() {
        for (id, entry) in descriptions where entry.description.deadline <= outbox.now {
            descriptions[id] = nil
            withdraw(entry.easy)
            if let download = entry.description.download { take(nil, of: download) }
        }
    }

    private func take(_ file: MetalinkFile?, of download: Download) {
        let id = download.request.transfer
        guard downloads[id] === download else { return }
        let (mirrors, demands, pieces) = download.take(file)
        let waiting = download.waitingEnd?.connections.first?.id
        let connection = waiting ?? download.connections.min() ?? download.request.connection
        if !mirrors.isEmpty { outbox.report(connection, .mirrors(mirrors, metalink: nil)) }
        if demands != nil || pieces != nil {
            outbox.report(connection, .demanded(demands ?? download.hasher.lastDemands, pieces: pieces))
        }
        goOnToEnd(of: download)
    }
}
