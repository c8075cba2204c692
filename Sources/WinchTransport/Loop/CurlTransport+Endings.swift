import WinchHTTP
import WinchModel
import WinchProgress

/// How connections end, and what becomes of the files whose bytes they brought.
extension CurlTransport {
    func settle(
        _ connection: any FileConnection, _ easy: EasyHandle,
        _ end: () throws(TransferFailure) -> FileConnectionEnding
    ) {
        do throws(TransferFailure) {
            try settle(connection, end(), easy)
        } catch {
            fail(connection, error)
            giveBack(easy)
        }
    }

    private func settle(
        _ connection: any FileConnection, _ ending: FileConnectionEnding, _ easy: EasyHandle
    ) throws(TransferFailure) {
        switch ending {
        case .again(let request): return try ask(request, for: connection)
        case .needsLookup(let failure, let host):
            ask(about: host, for: connection, after: failure)
            return
        case .complete(let job, let resume): handOver(job, resume, by: connection)
        case .finished(let outcome, let size):
            endAll(beside: connection)
            finish(connection, outcome, size)
        case .settled: endAll(beside: connection)
        case .pieceEnded:
            rest(connection)
            giveBack(easy)
            goOn(connection)
            return
        case .folder(let url):
            _ = leave(connection)
            giveBack(easy)
            count(url, for: connection.request, speed: connection.speed)
            return
        case .existing(let file):
            _ = leave(connection)
            giveBack(easy)
            check(file, for: connection.request)
            return
        case .unchecked: rest(connection)
        case .failed(let failure): fail(connection, failure)
        }
        giveBack(easy)
        switch ending {
        case .finished, .settled: shared.forget(connection.id.transfer)
        default: break
        }
    }

    private func handOver(_ job: FinishJob, _ resume: ResumePoint, by connection: any FileConnection) {
        finishing[job.id] = Finishing(claim: job.claim, folder: job.folder, resume: resume)
        finishJobs.append(job)
        endAll(beside: connection)
    }

    /// The connection has nothing to do, and its file stays open.
    private func rest(_ connection: any FileConnection) {
        handles.connections[connection.id] = nil
        connection.download.connections.remove(connection.id)
        connection.download.lastRested = connection.id
    }

    /// A connection that has brought its range asks for the next; it has ended if none is worth that.
    private func goOn(_ connection: any FileConnection) {
        let download = connection.download
        var request = connection.request
        (request.isFurther, request.rateLimit) = (true, connection.speed.limit)
        // While others run their requests reach what is missing.
        let mayAsk = !download.isAskingNoMore || download.connections.isEmpty
        if mayAsk, askForNext(request, of: download) { return }
        release(connection)
        connection.report(.ended)
    }

    /// The bytes that the connection did not bring are free for others.
    private func release(_ connection: any FileConnection) {
        let download = connection.download
        if let end = download.chunks?.release(connection.id.number) { bound(download, end) }
        guard download.isAskingNoMore else { return }
        for end in download.chunks?.widen() ?? [] { bound(download, end) }
    }

    func checked(_ piece: PieceCheck, _ failure: TransferFailure?) {
        guard let download = downloads[piece.id] else { return }
        if let wrong = download.took(piece, failure) {
            outbox.report(
                ConnectionID(transfer: piece.id, epoch: download.request.connection.epoch),
                .wrongPiece(piece.range, from: wrong.source, failure: wrong.failure))
        }
        goOnToEnd(of: download)
    }

    /// Hands over a file that has waited for its pieces or its Metalink, if it waits for neither any more.
    func goOnToEnd(of download: Download) {
        guard let end = download.takeWaitingEnd(), let last = end.connections.first else { return }
        guard !download.lacksBytes else {
            for connection in end.connections {
                release(connection)
                connection.report(.ended)
            }
            return
        }
        switch download.complete(size: end.size, by: last, demands: download.hasher.lastDemands) {
        case .complete(let job, let resume): handOver(job, resume, by: last)
        case .failed(let failure): for connection in end.connections { fail(connection, failure) }
        default: break
        }
    }

    func finish(_ connection: any FileConnection, _ outcome: TransferPhase.Outcome, _ size: Int64) {
        files.names.settle(connection.id.transfer, with: .file)
        connection.report(.finished(outcome, size: ByteCount(bytes: size)))
    }

    /// The connection has failed: that is reported with what is on disk.
    func fail(_ connection: any FileConnection, _ failure: TransferFailure) {
        (connection as? DownloadConnection)?.reportMirrors()
        let kept = leave(connection)
        let wait = connection.head.retryAfter.flatMap { RetryAfter.wait($0, now: wallClock()) }
        connection.report(.failed(failure, retryAfter: wait, kept: kept))
    }

    /// The connection is no more; with the last one of its file the part is closed.
    ///
    /// - Returns: what is on disk; `nil`: nothing.
    private func leave(_ connection: any FileConnection) -> ResumePoint? {
        connection.flush()
        handles.connections[connection.id] = nil
        let download = connection.download
        download.connections.remove(connection.id)
        guard download.connections.isEmpty, download.waitingEnd == nil else {
            release(connection)
            return download.kept
        }
        downloads[connection.id.transfer] = nil
        return download.close()
    }

    /// The connection has ended, and the others of its file have nothing to bring any more.
    private func endAll(beside ended: any FileConnection) {
        let download = ended.download
        for id in download.connections {
            guard let (_, easy) = handles.connections.removeValue(forKey: id) else { continue }
            if id != ended.id { withdraw(easy) }
        }
        download.connections = []
        downloads[ended.id.transfer] = nil
    }

    /// The transfer is started once more: what an earlier attempt has open is closed.
    func endEarlierAttempt(of id: TransferID) {
        guard let download = downloads.removeValue(forKey: id) else { return }
        for connection in download.connections {
            guard let (connection, easy) = handles.connections.removeValue(forKey: connection) else { continue }
            withdraw(easy)
            connection.flush()
        }
        _ = download.close()
    }

    func stop(_ id: ConnectionID, discarding: Bool) -> Bool {
        if let (connection, easy) = handles.connections[id] {
            withdraw(easy)
            stop(connection, discarding: discarding)
        } else if let download = downloads[id.transfer], download.leaveWaitingEnd(id) {
            // Others of the file bring bytes, or wait as well.
            outbox.report(id, .stopped(kept: discarding ? nil : download.kept))
        } else if let download = downloads[id.transfer], download.connections.isEmpty {
            // Its last connection had ended, and no other had taken up what it left.
            downloads[id.transfer] = nil
            outbox.report(id, .stopped(kept: discarding ? discard(download, of: id.transfer) : download.close()))
        } else {
            return false
        }
        return true
    }

    private func stop(_ connection: any FileConnection, discarding: Bool) {
        guard discarding else {
            let kept = leave(connection)
            connection.report(.stopped(kept: kept))
            return
        }
        let download = connection.download
        handles.connections[connection.id] = nil
        download.connections.remove(connection.id)
        if download.connections.isEmpty {
            downloads[connection.id.transfer] = nil
            _ = discard(download, of: connection.id.transfer)
        }
        connection.report(.stopped(kept: nil))
    }

    private func discard(_ download: Download, of id: TransferID) -> ResumePoint? {
        if let file = download.discard() { files.finisher.drop(file) }
        files.names.release(id)
        return nil
    }

    /// Closes all files, with their parts, for the end of the transport.
    func stopAll() {
        stopUploads()
        stopListings()
        for id in handles.connections.keys.sorted() { _ = stop(id, discarding: false) }
        // Their last connections had ended: they wait for another connection, for the hashes of pieces or for a Metalink.
        for download in downloads.values {
            let last = download.lastRested ?? download.request.connection
            let waiting = download.waitingEnd?.connections.map(\.id) ?? [last]
            let kept = download.close()
            for id in waiting { outbox.report(id, .stopped(kept: kept)) }
        }
        downloads = [:]
    }
}
