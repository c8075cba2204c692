import WinchModel

/// Ten times a second.
extension DownloadConnection {
    func check() -> TransferFailure? {
        do throws(TransferFailure) {
            try download.spillToPart()
            try download.body.flush()
        } catch {
            reportMoved()
            return error
        }
        if phase.isReceiving { download.makeCheckpoint(of: request, at: outbox.now) }
        reportMoved()
        if case .fail(let failure)? = decision, !isDiscarding { return failure }
        if let failure = download.body.checkNames(at: outbox.now) {
            download.hasher.giveUp()
            return failure
        }
        return speed.failure(at: outbox.now, isReceiving: phase.isReceiving)
    }

    /// The body of a refusal is read for a while, to keep the connection.
    private var isDiscarding: Bool {
        if case .discarding(_, let until?) = phase { outbox.now < until } else { false }
    }
}
