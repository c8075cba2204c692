import Glibc
import WinchModel

/// What the engine asks for, on the loop's thread.
extension CurlTransport {
    func carryOut(_ order: TransportOrder) {
        switch order {
        case .open(let request): look(for: request)
        case .close(let id, let discarding): end(id, discarding: discarding)
        case .discard(let id, let resume, let folder, let addresses):
            remove(id, PartClaim(addresses, lastKnown: resume), in: folder)
        case .probe(let request): start(probe: request)
        case .stopProbe(let id):
            if let (_, easy) = probes.removeValue(forKey: id) { withdraw(easy) }
        case .limit(let id, let rate):
            connection(id)?.speed.limit(to: rate)
            if checking[id.transfer]?.request.connection == id { checking[id.transfer]?.request.rateLimit = rate }
        case .checked(let file, let isWanted): checked(file, isWanted: isWanted)
        case .finished(let results): for result in results { finished(result) }
        case .wrote(let checkpoint): connection(checkpoint.connection)?.wrote(checkpoint)
        case .verified(let progress):
            outbox.report(
                progress.connection,
                .verified(ByteCount(bytes: progress.hashed), of: ByteCount(bytes: progress.size)))
        case .looked(let host, let answer): looked(up: host, answer)
        case .trust(let key, let isRemembered): sshHome.trust(key, remembering: isRemembered)
        case .unlock(let file, let passphrase): sshHome.unlock(file, passphrase)
        case .shutDown(let continuation): end(continuation)
        }
    }

    /// A file with a checksum may be there already: that is found out first.
    private func look(for request: ConnectionRequest) {
        checking.removeValue(forKey: request.transfer)?.file.giveUp()
        guard !isShuttingDown, let file = ExistingFile(request, in: files.folders) else {
            return start(download: request)
        }
        checking[request.transfer] = (request, file)
        files.checker.check(file, for: inbox)
    }

    private func checked(_ file: ExistingFile, isWanted: Bool) {
        let id = file.connection
        guard let request = checking[id.transfer]?.request, request.connection == id else { return }
        checking[id.transfer] = nil
        guard isWanted else { return start(download: request) }
        outbox.report(id, .finished(.alreadyComplete(path: file.path), size: ByteCount(bytes: file.size)))
    }

    private func start(download request: ConnectionRequest) {
        guard !isShuttingDown else {
            outbox.report(request.connection, .stopped(kept: request.resume))
            return
        }
        // A second start of the same transfer takes the place of the first.
        if let (old, easy) = connections.removeValue(forKey: request.transfer) {
            withdraw(easy)
            _ = old.close()
        }
        if connections.isEmpty { nextTick = outbox.now + Self.tickSpan }
        let download = Download(
            request, inbox: inbox, files: files, listedChecksums: listedChecksums, at: outbox.now)
        let connection = DownloadConnection(
            request, of: download, outbox: outbox, sshHome: sshHome,
            knownType: typesKnown.remove(request.transfer).map { _ in "another type of file" }, wallClock: wallClock)
        guard let first = connection.begin() else { return }
        do throws(TransferFailure) {
            let easy = try begin(first, for: connection)
            connection.easy = easy
            connections[request.transfer] = (connection, easy)
        } catch {
            connection.fail(error)
        }
    }

    private func connection(_ id: ConnectionID) -> DownloadConnection? {
        connections[id.transfer].flatMap { $0.connection.id == id ? $0.connection : nil }
    }

    private func end(_ id: ConnectionID, discarding: Bool) {
        if let (connection, easy) = connections[id.transfer], connection.id == id {
            connections[id.transfer] = nil
            withdraw(easy)
            stop(connection, discarding: discarding)
        } else if let (request, file) = checking[id.transfer], request.connection == id {
            checking[id.transfer] = nil
            file.giveUp()
            outbox.report(id, .stopped(kept: request.resume))
        } else if discarding, let waiting = finishing[id.transfer], waiting.claim.take() {
            // The finisher finds the claim taken, removes the part and reports it.
        }
    }

    private func stop(_ connection: DownloadConnection, discarding: Bool) {
        let id = connection.id
        guard discarding else {
            let kept = connection.close()
            outbox.report(id, .stopped(kept: kept))
            return
        }
        if let file = connection.download.discard() { files.finisher.drop(file) }
        files.names.release(id.transfer)
        outbox.report(id, .stopped(kept: nil))
    }

    private func remove(_ id: TransferID, _ claim: PartClaim, in root: String) {
        files.names.release(id)
        guard let parts = claim.lastKnown?.partPath.pathParts, let name = parts.last,
            let folder = try? files.folders.folder(root, parts: Array(parts.dropLast())),
            let file = claim.remove(String(name), in: folder)
        else { return }
        files.finisher.drop(file)
    }

    private func start(probe request: ProbeRequest) {
        guard !isShuttingDown else { return }
        if let (_, easy) = probes.removeValue(forKey: request.id) { withdraw(easy) }
        if connections.isEmpty, probes.isEmpty { nextTick = outbox.now + Self.tickSpan }
        let probe = Probe(request, outbox: outbox, sshHome: sshHome)
        do throws(TransferFailure) {
            guard let first = try probe.begin() else { return probe.answer() }
            let easy = try begin(first, for: probe)
            probe.easy = easy
            probes[request.id] = (probe, easy)
        } catch {
            probe.answer()
        }
    }

    private func finished(_ result: FinishResult) {
        let waiting = finishing.removeValue(forKey: result.id)
        let event: TransportEvent
        switch result.ending {
        case .done(let outcome, let size):
            files.names.settle(result.id, with: .file)
            event = .finished(outcome, size: ByteCount(bytes: size))
        case .failed(let failure, let partName):
            if let partName {
                files.names.settle(result.id, with: .part)
                waiting?.folder.note(part: partName)
            } else {
                files.names.release(result.id)
            }
            event = .failed(failure, retryAfter: nil, kept: partName.flatMap { waiting?.kept($0, after: failure) })
        case .abandoned:
            files.names.release(result.id)
            event = .stopped(kept: nil)
        case .interrupted(let partName):
            files.names.settle(result.id, with: .part)
            event = .stopped(kept: waiting?.kept(partName, after: nil))
        }
        outbox.report(result.connection, event)
        endIfIdle()
    }

    private func end(_ continuation: CheckedContinuation<Void, Never>) {
        isShuttingDown = true
        waitingForEnd.append(continuation)
        for (_, easy) in probes.values { withdraw(easy) }
        probes = [:]
        for (request, file) in checking.values {
            file.giveUp()
            outbox.report(request.connection, .stopped(kept: request.resume))
        }
        checking = [:]
        // Hashes of large files may take minutes; the next run makes them, from complete parts.
        for waiting in finishing.values { waiting.claim.interrupt() }
        let open = connections.values.sorted { $0.connection.id < $1.connection.id }
        connections = [:]
        for (connection, easy) in open {
            withdraw(easy)
            stop(connection, discarding: false)
        }
        endIfIdle()
    }

    /// Resumes the callers of `shutDown` once nothing runs, after the reports of this turn were sent.
    private func endIfIdle() {
        guard isShuttingDown, finishing.isEmpty else { return }
        outbox.flush()
        for continuation in waitingForEnd { continuation.resume() }
        waitingForEnd = []
    }
}
