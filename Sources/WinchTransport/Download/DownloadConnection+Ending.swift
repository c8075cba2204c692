import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// After the request.
extension DownloadConnection {
    /// The request has ended in libcurl.
    func end(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        if let refusal = easy.refusal { return retryOnNewConnection(refusal) }
        if case .awaitingHead = phase, let ssh = asked.ssh, decision == nil,
            let ending = endLogin(ssh.reaction(after: code, easy.words(for: code)))
        {
            return ending
        }
        if let question = asked.folderQuestion { return settle(question.failure(code, path: asked.remotePath)) }
        if code == .ok, !asked.isHTTP, case .awaitingHead = phase, !openWithoutHead(), decision == nil {
            decision = .fail(.badResponse("empty response"))
        }
        switch decision {
        case .restart(let cause)?:
            // Taken away first: it must not end the next request as well.
            decision = nil
            return again(cause, easy)
        case .finish(let outcome, let size)?:
            finish(outcome, size: size)
            return .settled
        case .fail(let failure)?: return settle(failure)
        case nil: return endUndecided(code, easy)
        }
    }

    private func endUndecided(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        switch phase {
        case .comparing, .receiving, .rereading: endBody(code, easy)
        case .discarding where head.status == 416: complete()
        case .awaitingHead
        where asked.isHTTP && !reader.isWhole && head.status > 0 && (code == .ok || code == .partialFile):
            settle(.connectionLost("the connection ended inside the response headers"))
        case .awaitingHead where code != .ok: settleUnanswered(code, easy)
        case .awaitingHead, .discarding: endUnopened()
        }
    }

    /// The connection that libcurl chose held bytes before the request: another one, in the same attempt.
    private func retryOnNewConnection(_ refusal: EasyHandle.Refusal) -> Ending {
        guard refusal == .keptConnection, asked.demandFreshConnection() else {
            return settle(.connectionLost("the server sent bytes before the request"))
        }
        return again()
    }

    private func settleUnanswered(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        if let busyReply = reader.busyReply { return settle(.serverBusy(reply: busyReply)) }
        let failure = curlFailure(code, easy)
        switch code {
        case .hostNotFound: return .needsLookup(failure, host: url(of: easy).host)
        case .proxyNotFound: return .needsLookup(failure, host: settings.proxy.map(CurlFailure.proxyName) ?? "")
        // Of a host with addresses of both families libcurl reports the last failure, which may be of one without a route.
        case .couldNotConnect where settings.proxy == nil && easy.fact(WINCH_OS_ERROR) == Int64(ENETUNREACH):
            return .needsLookup(failure, host: url(of: easy).host)
        default:
            guard let question = FolderQuestion(after: code, failure, of: asked.address) else {
                return settle(failure)
            }
            asked.ask(question)
            return again()
        }
    }

    private func endLogin(_ reaction: SSHAccess.Reaction) -> Ending? {
        switch reaction {
        case .again: again()
        case .failed(let failure): settle(failure)
        case .none: nil
        }
    }

    /// An answer that `judge` left to libcurl turned out to be the last.
    private func endUnopened() -> Ending {
        if head.status == 401, head.offersDigest, asked.useDigest() { return again() }
        if case .fail(let failure) = ResponseVerdict(head, asked: nil) { return settle(failure) }
        return settle(.badResponse("no response"))
    }

    private func endBody(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        guard code == .ok else { return settle(curlFailure(code, easy)) }
        let have = ByteCount(bytes: position)
        if let closingConnection, !easy.hasEndedProperly(closingConnection) {
            return settle(.cutShort(have: have, expected: nil))
        }
        if let total = download.version.total, position < total {
            return settle(.cutShort(have: have, expected: ByteCount(bytes: total)))
        }
        guard phase.isReceiving else { return settle(.cutShort(have: have, expected: nil)) }
        return complete()
    }

    /// The body is complete: its last bytes are written, and the finisher gets it.
    private func complete() -> Ending {
        guard let target = download.target else { return settle(.other("no folder")) }
        do throws(TransferFailure) {
            try download.body.flush()
            try download.body.end(at: position)
        } catch {
            return settle(error)
        }
        let size = position
        if let part = download.body.part { download.hasher.feed(part, through: download.body.written, isLast: true) }
        reportMoved()
        let demands = reportDemands()
        report(.bodyEnded(size: ByteCount(bytes: size)))
        let resume = download.resumePoint(at: target, onDisk: RangeSet(0..<size))
        let digest = download.hasher.takeRunning()
        let job = FinishJob(
            connection: request.connection, client: download.inbox, folder: target.folder, targetName: target.name,
            body: download.body.takeComplete(size: size), size: size, demands: demands,
            digest: size <= FinishJob.smallest ? nil : digest, conflict: settings.onConflict,
            attributes: download.attributes, claim: FinishClaim())
        return .complete(job, resume: resume)
    }

    private func again(_ cause: Restart, _ easy: EasyHandle) -> Ending {
        switch cause {
        case .over(let cause):
            guard asked.startOver(cause) else {
                return settle(.badResponse("inconsistent ranges: \(cause.words)"))
            }
        case .comparing:
            guard let part = download.body.part, asked.startComparing() else {
                return settle(.badResponse("inconsistent ranges"))
            }
            askForRest(of: part)
        case .adopted: asked.returnToAddress()
        case .redirected:
            let counted = Int(easy.fact(WINCH_REDIRECT_COUNT))
            do throws(TransferFailure) {
                try asked.follow(head.location ?? "", from: easy.effectiveURL, counted: counted)
            } catch {
                return settle(error)
            }
            report(.redirected(asked.lastLocation ?? "", status: head.status))
        }
        return again()
    }

    private func again() -> Ending {
        reader = HeadReader()
        phase = .awaitingHead
        return .again(asked.easyRequest)
    }

    private func url(of easy: EasyHandle) -> TransferURL {
        easy.effectiveURL.flatMap { try? TransferURL($0) } ?? request.url
    }

    private func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        let url = url(of: easy)
        return CurlFailure(
            code: code, words: easy.words(for: code), systemError: Int32(clamping: easy.fact(WINCH_OS_ERROR)),
            proxyStatus: Int(easy.fact(WINCH_CONNECT_CODE)), host: url.hostKey, scheme: url.scheme,
            path: asked.remotePath,
            proxy: settings.proxy, connectTimeout: settings.connectTimeout, maxRedirects: settings.maxRedirects,
            location: head.location ?? asked.lastLocation, isRequested: speed.isRequested, isOpen: download.body.isOpen,
            interimStatus: (100...199).contains(head.status) ? head.status : nil, have: ByteCount(bytes: position),
            expected: download.version.total.map { ByteCount(bytes: $0) }
        ).transferFailure
    }

    private func settle(_ failure: TransferFailure) -> Ending {
        fail(failure)
        return .settled
    }

    /// There is nothing to fetch.
    func finish(_ outcome: TransferPhase.Outcome, size: Int64) {
        download.files.names.settle(request.transfer, with: .file)
        report(.finished(outcome, size: ByteCount(bytes: size)))
    }

    /// Reports the failure, and what is kept.
    func fail(_ failure: TransferFailure) {
        let kept = close()
        let wait = head.retryAfter.flatMap { RetryAfter.wait($0, now: wallClock()) }
        report(.failed(failure, retryAfter: wait, kept: kept))
    }

    /// Puts the bytes so far on disk, reports their number, and closes the part.
    ///
    /// - Returns: the state of the part; `nil`: nothing is kept.
    func close() -> ResumePoint? {
        download.hasher.giveUp()
        try? download.spillToPart()
        download.body.dropMemory()
        if let part = download.body.part {
            // Bytes that cannot be written are fetched again.
            try? download.body.flush()
            reportMoved()
            if part.length > 0 { part.folder.note(part: part.name) }
        }
        let kept = download.kept
        download.files.names.settle(request.transfer, with: kept == nil ? nil : .part)
        if let part = download.body.part, part.length == 0, part.belongsToTransfer { part.unlink() }
        download.body.release()
        return kept
    }
}
