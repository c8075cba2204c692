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
        let kept = upload.kept
        remove(upload)
        if discarding { shared.streams.abandon(upload.order, of: id.transfer) }
        removeAtServer(upload.leftover, of: upload)
        outbox.report(id, .stopped(kept: kept))
        return true
    }

    /// Also while the transport ends: what was cancelled just before must not stay at the server.
    func withdraw(upload request: ConnectionRequest) {
        if handles.areIdle, handles.removals.isEmpty { nextTick = followingTick }
        guard let removal = UploadRemoval(request, sshHome: sshHome, at: outbox.now),
            let easy = try? begin(removal.request, for: removal, at: removal.server)
        else { return }
        handles.removals[ObjectIdentifier(removal)] = (removal, easy)
    }

    private func removeAtServer(_ place: UploadPlace?, of upload: UploadConnection) {
        guard let place else { return }
        var request = upload.request
        request.resume = ResumePoint(upload: place, have: .zero, total: nil, name: "")
        withdraw(upload: request)
    }

    func settle(_ removal: UploadRemoval, _ next: EasyRequest?, _ easy: EasyHandle) {
        if let next, (try? easy.prepare(next, for: removal)) != nil, loop.add(easy) { return }
        handles.removals[ObjectIdentifier(removal)] = nil
        giveBack(easy)
        endIfIdle()
    }

    func endLateRemovals() {
        for (id, entry) in handles.removals where entry.removal.deadline <= outbox.now {
            handles.removals[id] = nil
            withdraw(entry.easy)
        }
        endIfIdle()
    }

    private func endUpload(of id: TransferID) {
        for upload in handles.uploads.values where upload.id.transfer == id { remove(upload) }
    }

    func stopUploads() {
        for id in handles.uploads.keys.sorted() { _ = stop(upload: id) }
    }
}

/// Removes what an unfinished upload has left at its server.
final class UploadRemoval: ResponseReceiver {
    let ssh: SSHAccess?
    let server: String
    let request: EasyRequest
    let deadline: Moment

    /// 3 s: the program may be waiting for it to end.
    private static let timeout = Duration.seconds(3)

    /// - Returns: `nil` when nothing is there, or the protocol has no way.
    init?(_ start: ConnectionRequest, sshHome: SSHHome, at now: Moment) {
        guard let order = start.upload, let place = start.resume?.upload, !place.name.isEmpty else { return nil }
        server = start.url.server
        deadline = now + Self.timeout
        var upload = EasyUpload()
        switch start.url.scheme {
        case .http, .https:
            guard let headers = order.httpProtocol.removalHeaders, let url = try? TransferURL(place.name) else {
                return nil
            }
            ssh = nil
            upload.method = "DELETE"
            upload.headers = headers
            request = EasyRequest(
                url: url, settings: start.settings.sent(to: url, namedBy: start.url), upload: upload)
        case .ftp, .ftps:
            guard let folder = start.url.folder else { return nil }
            ssh = nil
            upload.commandsAfter = ["DELE \(place.name)"]
            request = EasyRequest(url: folder, settings: start.settings, isHead: true, upload: upload)
        case .sftp:
            guard let access = try? SSHAccess(start.url, start.settings.value, sshHome, at: now),
                let folder = access.target.url.folder
            else { return nil }
            ssh = access
            upload.commandsBefore = ["rm \(folder.commandPath(of: place.name))"]
            request = EasyRequest(
                url: folder, settings: start.settings, isHead: true, ssh: access.request, upload: upload)
        }
    }

    /// - Returns: another request, with another of the user's keys.
    func end(_ code: CurlCode, _ easy: EasyHandle) -> EasyRequest? {
        guard let ssh, case .again = ssh.reaction(after: code, easy.words(for: code)) else { return nil }
        var next = request
        next.ssh = ssh.request
        return next
    }

    func willSendRequest() { ssh?.succeeded() }
    func take(header line: UnsafeRawBufferPointer) -> Bool { true }
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer { .taken }
}
