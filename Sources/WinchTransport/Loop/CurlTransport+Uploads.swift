import Synchronization
import WinchHTTP
import WinchModel

/// Uploads: how they begin, go on and end.
extension CurlTransport {
    func start(upload request: ConnectionRequest, _ order: UploadOrder) {
        if handles.areIdle { nextTick = followingTick }
        endUpload(of: request.transfer)
        do throws(TransferFailure) {
            let (inbox, id) = (inbox, request.connection)
            let upload = try UploadConnection(
                request, order, outbox: outbox, sshHome: sshHome, folders: shared.knownFolders,
                streams: shared.streams, whenReadable: { inbox.post { $0.readable(id) } })
            handles.uploads[request.connection] = upload
            let first = upload.begin()
            if let place = upload.firstPlace { shared.wantedNames.withLock { _ = $0.insert(place.name) } }
            removeAtServer(upload.stale, of: upload)
            settle(upload, first)
        } catch {
            // What an earlier attempt has left at the server is there still.
            outbox.report(request.connection, .failed(error, retryAfter: nil, kept: request.resume))
        }
    }

    func settle(_ upload: UploadConnection, _ ending: UploadConnection.Ending) {
        switch ending {
        case .again(let request):
            do throws(TransferFailure) {
                try ask(request, for: upload)
            } catch {
                fail(upload, error, kept: upload.kept)
            }
        case .pausing: drop(upload)
        case .finished(let size):
            if let reply = upload.reply { outbox.report(upload.id, .replied(reply)) }
            let path = upload.request.name?.text ?? upload.order.name ?? TargetName(url: upload.request.url).text
            remove(upload)
            if let place = upload.firstPlace { shared.forget(place) }
            shared.forget(upload.id.transfer)
            outbox.report(upload.id, .finished(.sent(path: path), size: ByteCount(bytes: size)))
        case .failed(let failure, let kept): fail(upload, failure, kept: kept)
        }
    }

    private func fail(_ upload: UploadConnection, _ failure: TransferFailure, kept: ResumePoint?) {
        if let reply = upload.reply { outbox.report(upload.id, .replied(reply)) }
        let wait = upload.head.retryAfter.flatMap { RetryAfter.wait($0, now: wallClock()) }
        remove(upload)
        removeAtServer(upload.leftover, of: upload)
        outbox.report(upload.id, .failed(failure, retryAfter: wait, kept: kept))
    }

    private func remove(_ upload: UploadConnection) {
        drop(upload)
        upload.source.rest()
        handles.uploads[upload.id] = nil
    }

    func proceed(upload id: ConnectionID) {
        guard let upload = handles.uploads[id], case .ledger? = upload.pause else { return }
        settle(upload, upload.goOn())
    }

    func readable(_ id: ConnectionID) {
        guard let upload = handles.uploads[id] else { return }
        upload.isAwaiting ? settle(upload, upload.goOn()) : upload.easy?.release()
    }

    /// Ten times a second.
    func checkUploads(late: Duration?) {
        for upload in handles.uploads.values {
            if let late { upload.speed.exclude(late) }
            switch upload.pause {
            case .time(let wakeAt)?:
                if wakeAt <= outbox.now { settle(upload, upload.goOn()) }
                continue
            case .ledger?: continue
            case .folder?, .stream?, nil: break
            }
            if let failure = upload.check() { fail(upload, failure, kept: upload.kept) }
        }
    }

    /// What is at the server stays: the queue orders its removal by `withdraw`.
    ///
    /// - Parameter discarding: a stream is not read any further.
    /// - Returns: false when there is no such upload.
    func stop(upload id: ConnectionID, discarding: Bool = false) -> Bool {
        guard let upload = handles.uploads[id] else { return false }
        upload.flush()
        let kept = upload.interrupted
        remove(upload)
        if discarding { shared.streams.abandon(upload.order, of: id.transfer) }
        removeAtServer(upload.leftover, of: upload)
        outbox.report(id, .stopped(kept: kept))
        return true
    }

    /// Also while the transport ends: what was cancelled just before must not stay at the server.
    func withdraw(upload request: ConnectionRequest) {
        if handles.areIdle, handles.removals.isEmpty { nextTick = followingTick }
        if let removal = UploadRemoval(request, at: outbox.now) { attempt(removal) }
    }

    private func removeAtServer(_ place: UploadPlace?, of upload: UploadConnection) {
        guard let place else { return }
        shared.forget(place)
        var request = upload.request
        request.resume = ResumePoint(upload: place, have: .zero, total: nil, name: "")
        withdraw(upload: request)
    }

    private func attempt(_ removal: UploadRemoval) {
        handles.removals[ObjectIdentifier(removal)] = nil
        guard !isWanted(removal.name) else { return }
        do throws(TransferFailure) {
            let request = try removal.begin(sshHome: sshHome, at: outbox.now)
            let easy = try begin(request, for: removal, at: removal.start.url.server)
            handles.removals[ObjectIdentifier(removal)] = (removal, easy)
        } catch {
            fail(removal)
        }
    }

    /// Another attempt follows, or the user is told what stays at the server.
    private func fail(_ removal: UploadRemoval) {
        handles.removals[ObjectIdentifier(removal)] = nil
        guard !isWanted(removal.name) else { return }
        if !isShuttingDown, removal.wait(at: outbox.now) {
            handles.removals[ObjectIdentifier(removal)] = (removal, nil)
            return
        }
        outbox.report(removal.start.connection, .warned(.leftAtServer(removal.place)))
    }

    func settle(_ removal: UploadRemoval, _ code: CurlCode, _ easy: EasyHandle) {
        let ending = removal.end(code, easy.words(for: code))
        if case .again(let next) = ending, (try? easy.prepare(next, for: removal)) != nil, loop.add(easy) { return }
        giveBack(easy)
        if case .done = ending { handles.removals[ObjectIdentifier(removal)] = nil } else { fail(removal) }
        endIfIdle()
    }

    private func isWanted(_ name: String) -> Bool { shared.wantedNames.withLock { $0.contains(name) } }

    /// Ends removals that take too long, and begins those that have waited.
    func checkRemovals() {
        for (removal, easy) in handles.removals.values where removal.due <= outbox.now {
            if let easy {
                withdraw(easy)
                fail(removal)
            } else {
                attempt(removal)
            }
        }
        endIfIdle()
    }

    /// The transport ends: removals that wait are tried once more now.
    func hurryRemovals() {
        for (removal, easy) in handles.removals.values where easy == nil { attempt(removal) }
    }

    private func endUpload(of id: TransferID) {
        for upload in handles.uploads.values where upload.id.transfer == id { remove(upload) }
    }

    func stopUploads() {
        for id in handles.uploads.keys.sorted() { _ = stop(upload: id) }
    }
}
