import Glibc
import Synchronization
import WinchBatch
import WinchModel
import WinchProgress

/// What the engine asks for, on the loop's thread.
extension CurlTransport {
    func open(_ given: ConnectionRequest) {
        guard !isShuttingDown else { return outbox.report(given.connection, .stopped(kept: given.resume)) }
        var request = given
        useLogin(at: &request.url, &request.settings)
        if let order = request.upload {
            start(upload: request, order)
        } else if let order = request.folderOrder {
            start(listing: request, order, given.settings)
        } else if request.url.isFolder, let folder = request.url.asFolder {
            count(folder, for: request)
        } else {
            look(for: request)
        }
    }

    func cancel(upload given: ConnectionRequest) {
        var request = given
        useLogin(at: &request.url, &request.settings)
        if let order = request.upload { shared.streams.abandon(order, of: request.transfer) }
        withdraw(upload: request)
    }

    func limit(_ id: ConnectionID, to rate: ByteRate?) {
        handles.connections[id]?.connection.speed.limit(to: rate, at: outbox.now)
        handles.connections[id]?.easy.boundReceiveBuffer(to: rate)
        handles.uploads[id]?.speed.limit(to: rate, at: outbox.now)
        handles.listings[id]?.speed.limit(to: rate, at: outbox.now)
        if checking[id.transfer]?.request.connection == id { checking[id.transfer]?.request.rateLimit = rate }
    }

    func logIn(at origin: String, _ user: String, _ password: Secret, instead refused: Set<String?>) {
        let all = refused.union(logins[origin]?.refused ?? [])
        logins[origin] = TypedLogin(user: user, password: password, refused: all)
    }

    /// Uses a login that the user has typed for the origin, unless the transfer has one of another account that may be right.
    private func useLogin(at url: inout TransferURL, _ settings: inout Shared<TransferSettings>) {
        guard !logins.isEmpty, let login = logins[url.origin],
            !settings.value.hasLogin(at: url) || login.replaces(settings.value.userName(at: url))
        else { return }
        settings = settings.loggingIn(login.user, login.password, at: url)
        if url.login != nil { url = (try? TransferURL(url.redacted)) ?? url }
    }

    /// A file with a checksum may be there already: that is found out first.
    private func look(for request: ConnectionRequest) {
        checking.removeValue(forKey: request.transfer)?.file.giveUp()
        guard let file = ExistingFile(request, in: files.folders) else { return start(download: request) }
        check(file, for: request)
    }

    func check(_ file: ExistingFile, for request: ConnectionRequest) {
        checking[request.transfer] = (request, file)
        files.checker.check(file, for: inbox)
    }

    /// - Parameter failure: why it is not the file that is wanted: another is fetched, unless this one is to stay.
    func checked(_ file: ExistingFile, _ failure: TransferFailure?) {
        let id = file.connection
        guard let request = checking[id.transfer]?.request, request.connection == id else { return }
        checking[id.transfer] = nil
        if let failure {
            guard request.settings.value.onConflict == .skip else { return start(download: request) }
            return outbox.report(id, .failed(failure, retryAfter: nil, kept: nil))
        }
        for part in file.removeParts(of: [request.url] + request.mirrors) { files.finisher.drop(part) }
        outbox.report(id, .finished(.alreadyComplete(path: file.path), size: ByteCount(bytes: file.size)))
    }

    private func start(download request: ConnectionRequest) {
        if handles.areIdle { nextTick = followingTick }
        if request.isFurther { return start(further: request) }
        endEarlierAttempt(of: request.transfer)
        let list: ChecksumList
        do throws(TransferFailure) {
            list = try listedChecksums.list(for: request.settings.value)
        } catch {
            return outbox.report(request.connection, .failed(error, retryAfter: nil, kept: request.resume))
        }
        let download = Download(request, inbox: inbox, files: files, listedChecksums: list, at: outbox.now)
        let connection = DownloadConnection(
            request, of: download, outbox: outbox, sshHome: sshHome,
            probed: shared.probedFile(of: request.transfer), wallClock: wallClock)
        do throws(TransferFailure) {
            if let first = try connection.begin() {
                try send(first, for: connection)
            } else if case .finish(let outcome, let size)? = connection.decision {
                finish(connection, outcome, size)
            }
        } catch {
            fail(connection, error)
        }
    }

    private func start(further request: ConnectionRequest) {
        guard let download = downloads[request.transfer], download.body.part != nil else {
            // The file was closed meanwhile, which is reported under the connection that closed it.
            let failure = TransferFailure.connectionLost("the first connection has ended")
            outbox.report(request.connection, .failed(failure, retryAfter: nil, kept: request.resume))
            return
        }
        download.chunks?.expected = request.expected
        if !askForNext(request, of: download) { outbox.report(request.connection, .ended) }
    }

    /// Has a connection ask for the range of the file that is the next for it.
    ///
    /// - Returns: false when no range is worth a request.
    func askForNext(_ request: ConnectionRequest, of download: Download) -> Bool {
        let isOpenEnded = request.url.scheme.isFTP
        // What has come counts before another connection is given what is missing.
        for id in download.connections { handles.connections[id]?.connection.flush() }
        guard !isShuttingDown, let part = download.body.part,
            let next = download.chunks?.assign(request.connection.number, isOpenEnded: isOpenEnded, at: outbox.now)
        else { return false }
        let connection = SegmentConnection(request, next.range, of: download, into: part, outbox: outbox)
        var failure: TransferFailure?
        do throws(TransferFailure) {
            try send(try connection.begin(sshHome: sshHome), for: connection)
        } catch {
            failure = error
        }
        if let cut = next.cut { bound(download, cut) }
        // The one that was cut for it may get its bytes back.
        if let failure { fail(connection, failure) }
        return true
    }

    private func send(_ request: EasyRequest, for connection: any FileConnection) throws(TransferFailure) {
        for id in connection.download.connections {
            if let easy = handles.connections[id]?.easy { keepCookies(of: easy) }
        }
        let easy = try begin(request, for: connection, at: connection.request.url.server)
        connection.easy = easy
        handles.connections[connection.id] = (connection, easy)
        downloads[connection.id.transfer] = connection.download
        connection.download.join(connection.id, at: outbox.now)
        nextGlance = nextGlance ?? outbox.now + Self.glanceSpan
    }

    func retire(_ id: ConnectionID, atOnce: Bool) {
        guard let (connection, _) = handles.connections[id] else { return }
        let download = connection.download
        connection.flush()
        let end = atOnce ? download.chunks?.drop(id.number) : download.chunks?.retire(id.number, at: outbox.now)
        if let end { bound(download, end) }
    }

    func askNoMore(_ id: TransferID) {
        guard let download = downloads[id] else { return }
        download.isAskingNoMore = true
        for end in download.chunks?.widen() ?? [] { bound(download, end) }
    }

    /// A connection of the file ends elsewhere than it was told.
    func bound(_ download: Download, _ end: ChunkEnd) {
        var id = download.request.connection
        id.number = end.number
        guard let (connection, easy) = handles.connections[id] else { return }
        connection.bound(at: end.end)
        guard connection.isAtBound else { return }
        loop.remove(easy)
        settle(connection, easy) { () throws(TransferFailure) in try connection.endPiece() }
    }

    func wrote(_ checkpoint: Checkpoint) {
        guard let download = downloads[checkpoint.connection.transfer],
            let durable = download.body.ended(checkpoint),
            let id = download.connections.contains(checkpoint.connection)
                ? checkpoint.connection : download.connections.first
        else { return }
        outbox.report(id, .durable(durable))
    }

    func end(_ id: ConnectionID, discarding: Bool) {
        if stop(upload: id, discarding: discarding) || stop(listing: id) || stop(id, discarding: discarding) { return }
        if let (request, file) = checking[id.transfer], request.connection == id {
            checking[id.transfer] = nil
            file.giveUp()
            outbox.report(id, .stopped(kept: request.resume))
        } else if discarding, let waiting = finishing[id.transfer], waiting.claim.take() {
            // The finisher finds the claim taken, removes the part and reports it.
        }
    }

    func remove(_ id: TransferID, _ claim: PartClaim, in root: String, named: Int) {
        defer { shared.choice.withLock { $0.discarded(id) } }
        files.names.release(id)
        shared.forget(id)
        guard let parts = claim.lastKnown?.partPath.pathParts, let name = parts.last,
            let folder = try? files.folders.folder(root, named: named, parts: Array(parts.dropLast())),
            let file = claim.remove(String(name), in: folder)
        else { return }
        files.finisher.drop(file)
    }

    func stop(probe id: TransferID) {
        if let (_, easy) = handles.probes.removeValue(forKey: id) { withdraw(easy) }
    }

    func start(probe given: ProbeRequest) {
        guard !isShuttingDown else { return }
        var request = given
        useLogin(at: &request.url, &request.settings)
        stop(probe: request.id)
        if handles.areIdle, handles.probes.isEmpty { nextTick = followingTick }
        let probe = Probe(request, outbox: outbox, sshHome: sshHome)
        do throws(TransferFailure) {
            guard let first = try probe.begin() else { return probe.answer() }
            let easy = try begin(first, for: probe, at: request.url.server)
            probe.easy = easy
            handles.probes[request.id] = (probe, easy)
        } catch {
            probe.answer()
        }
    }

    func finished(_ result: FinishResult) {
        let waiting = finishing.removeValue(forKey: result.id)
        let event: TransportEvent
        switch result.ending {
        case .done(let outcome, let size):
            files.names.settle(result.id, with: .file)
            shared.forget(result.id)
            event = .finished(outcome, size: ByteCount(bytes: size))
        case .failed(let failure, let partName):
            if let partName {
                files.names.settle(result.id, with: .part)
                waiting?.folder.note(part: partName)
            } else {
                files.names.release(result.id)
            }
            // The wrong bytes may be those of the part: with a wait the queue makes another attempt, which begins at 0.
            let isAgain = if case .checksum = failure { result.isFromUnknownPart } else { false }
            event = .failed(
                failure, retryAfter: isAgain ? Duration.zero : nil,
                kept: partName.flatMap { waiting?.kept($0, after: failure) })
        case .abandoned:
            files.names.release(result.id)
            shared.forget(result.id)
            event = .stopped(kept: nil)
        case .interrupted(let partName):
            files.names.settle(result.id, with: .part)
            event = .stopped(kept: waiting?.kept(partName, after: nil))
        }
        outbox.report(result.connection, event)
        endIfIdle()
    }

    func end(_ continuation: CheckedContinuation<Void, Never>) {
        isShuttingDown = true
        waitingForEnd.append(continuation)
        for (_, easy) in handles.probes.values { withdraw(easy) }
        handles.probes = [:]
        for (_, easy) in handles.descriptions.values { withdraw(easy) }
        handles.descriptions = [:]
        for (request, file) in checking.values {
            file.giveUp()
            outbox.report(request.connection, .stopped(kept: request.resume))
        }
        checking = [:]
        // Hashes of large files may take minutes; the next run makes them, from complete parts.
        for waiting in finishing.values { waiting.claim.interrupt() }
        stopAll()
        hurryRemovals()
        endIfIdle()
    }

    /// Resumes the callers of `shutDown` once nothing runs, after the reports of this turn were sent.
    func endIfIdle() {
        guard isShuttingDown, finishing.isEmpty, handles.removals.isEmpty else { return }
        outbox.flush()
        for continuation in waitingForEnd { continuation.resume() }
        waitingForEnd = []
    }
}
