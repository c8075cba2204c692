import CTransport
import Glibc
import WinchCore

/// After the request.
extension Download {
    /// libcurl is through.
    func end(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        if let refusal = easy.refusal { return askElsewhere(refusal) }
        if case .awaitingHead = stage, let ssh, failure == nil,
            let ending = endLogin(ssh.turn(after: code, easy.words(for: code)))
        {
            return ending
        }
        if let folderQuestion { return settle(folderQuestion.failure(code, path: remotePath)) }
        if code == .ok, !isHTTP, case .awaitingHead = stage, !openWithoutHead(), restart == nil, failure == nil {
            failure = .badResponse("empty response")
        }
        // Taken first: it must not end the next request as well.
        if let cause = restart {
            restart = nil
            return again(cause, easy)
        }
        if let outcome {
            finish(outcome)
            return .settled
        }
        if let failure { return settle(failure) }
        switch stage {
        case .comparing, .receiving: return endBody(code, easy)
        case .discarding where head.status == 416: return complete()
        case .awaitingHead where isHTTP && !isHeadWhole && head.status > 0 && (code == .ok || code == .partialFile):
            return settle(.connectionLost("the connection ended inside the response headers"))
        case .awaitingHead where code != .ok: return settleUnanswered(code, easy)
        case .awaitingHead, .discarding: return endUnopened()
        }
    }

    /// The connection that libcurl chose held bytes before the request: another one, in the same attempt.
    private func askElsewhere(_ refusal: EasyHandle.Refusal) -> Ending {
        guard refusal == .keptConnection, !needsFreshConnection else {
            return settle(.connectionLost("the server sent bytes before the request"))
        }
        needsFreshConnection = true
        return again()
    }

    private func settleUnanswered(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        if let busyReply { return settle(.serverBusy(reply: busyReply)) }
        let failure = curlFailure(code, easy)
        switch code {
        case .hostNotFound: return .doubtful(failure, host: url(of: easy).host)
        case .proxyNotFound: return .doubtful(failure, host: settings.proxy.map(CurlFailure.proxyName) ?? "")
        // Of a host with addresses of both families the last that failed is told, which may be one without a route.
        case .couldNotConnect where settings.proxy == nil && easy.fact(WINCH_OS_ERROR) == Int64(ENETUNREACH):
            return .doubtful(failure, host: url(of: easy).host)
        default:
            guard let question = FolderQuestion(after: code, failure, of: ssh?.target.url ?? request.url) else {
                return settle(failure)
            }
            folderQuestion = question
            return again()
        }
    }

    private func endLogin(_ turn: SSHAccess.Turn) -> Ending? {
        switch turn {
        case .again: again()
        case .failed(let failure): settle(failure)
        case .none: nil
        }
    }

    /// An answer that `judge` left to libcurl turned out to be the last.
    private func endUnopened() -> Ending {
        if head.status == 401, head.offersDigest, login == .basic, settings.user != nil { return logIn() }
        if case .fail(let failure) = ResponseVerdict(head, asked: nil) { return settle(failure) }
        return settle(.badResponse("no response"))
    }

    private func endBody(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        guard code == .ok else { return settle(curlFailure(code, easy)) }
        if let tlsConnection, !easy.hasEndedProperly(tlsConnection) {
            return settle(.cutShort(have: ByteCount(bytes: position), expected: nil))
        }
        if let total, position < total {
            return settle(.cutShort(have: ByteCount(bytes: position), expected: ByteCount(bytes: total)))
        }
        guard case .receiving = stage else {
            return settle(.cutShort(have: ByteCount(bytes: position), expected: nil))
        }
        return complete()
    }

    /// All of it is there: on disk with the rest, and on to the files.finisher.
    private func complete() -> Ending {
        guard let folder else { return settle(.other("no folder")) }
        do throws(TransferFailure) {
            try part?.flush()
        } catch {
            return settle(error)
        }
        part?.durable.end()
        let size = position
        feedDigest(isLast: true)
        reportMoved()
        let demands = tellDemands()
        report(.bodyEnded(size: ByteCount(bytes: size)))
        let resume = resumePoint(in: folder, have: size)
        let body: FinishBody =
            if let part {
                .part(part.name, size <= FinishJob.smallest ? nil : part.file)
            } else {
                .content(content ?? [])
            }
        let job = FinishJob(
            id: request.id, stamp: request.stamp, client: inbox, folder: folder, targetName: targetName, body: body,
            size: size,
            demands: demands, digest: size <= FinishJob.smallest ? nil : digest, conflict: settings.onConflict,
            attributes: attributes, claim: FinishClaim())
        digest = nil
        // The finisher gives the budget back.
        content = nil
        return .complete(job, resume: resume)
    }

    private func again(_ cause: Restart, _ easy: EasyHandle) -> Ending {
        if case .redirected = cause { return follow(easy) }
        overlap = nil
        hop = nil
        switch cause {
        case .over(let cause):
            guard !hasRestarted else { return settle(.badResponse("inconsistent ranges: \(cause.words)")) }
            hasRestarted = true
            asked = nil
            startedOver = cause
        case .comparing:
            guard !isComparing, let part else { return settle(.badResponse("inconsistent ranges")) }
            isComparing = true
            ask(for: part)
        case .adopted, .redirected: break
        }
        return again()
    }

    private func logIn() -> Ending {
        login = .digest
        hop = nil
        return again()
    }

    private func again() -> Ending {
        head = ResponseHead()
        isHeadWhole = false
        headBytes = 0
        headLines = 0
        busyReply = nil
        stage = .awaitingHead
        return .again(nextRequest)
    }

    /// Goes on where a redirect leads.
    private func follow(_ easy: EasyHandle) -> Ending {
        let location = head.location ?? ""
        guard let base = easy.effectiveURL, let hop = Hop(from: base, to: location, of: request) else {
            return settle(.redirectRefused(TransferURL.redacted(location)))
        }
        hops += max(0, Int(easy.fact(WINCH_REDIRECT_COUNT))) + 1
        guard hops <= settings.maxRedirects else { return settle(.tooManyRedirects(settings.maxRedirects)) }
        self.hop = hop
        lastLocation = hop.url.redacted
        report(.redirected(hop.url.redacted, status: head.status))
        return again()
    }

    private func url(of easy: EasyHandle) -> TransferURL {
        easy.effectiveURL.flatMap { try? TransferURL($0) } ?? request.url
    }

    private func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        let url = url(of: easy)
        return CurlFailure(
            code: code, words: easy.words(for: code), systemError: Int32(clamping: easy.fact(WINCH_OS_ERROR)),
            proxyStatus: Int(easy.fact(WINCH_CONNECT_CODE)), host: url.hostKey, scheme: url.scheme, path: remotePath,
            proxy: settings.proxy,
            connectTimeout: settings.connectTimeout, maxRedirects: settings.maxRedirects,
            location: head.location ?? lastLocation, isRequested: isRequested, isOpen: part != nil || content != nil,
            interimStatus: (100...199).contains(head.status) ? head.status : nil, have: ByteCount(bytes: position),
            expected: total.map { ByteCount(bytes: $0) }
        ).transferFailure
    }

    private func settle(_ failure: TransferFailure) -> Ending {
        fail(failure)
        return .settled
    }

    /// There is nothing to fetch.
    func finish(_ outcome: (RowPhase.Outcome, Int64)) {
        files.names.settle(request.id, with: .file)
        report(.finished(outcome.0, size: ByteCount(bytes: outcome.1)))
    }

    /// Says why there is no file, and what is kept.
    func fail(_ failure: TransferFailure) {
        let kept = close()
        let wait = head.retryAfter.flatMap { RetryAfter.wait($0, now: wallClock()) }
        report(.failed(failure, retryAfter: wait, kept: kept))
    }

    /// Puts on disk what has come, tells so, and lets go of the part. Returns what is kept.
    func close() -> ResumePoint? {
        endDigest()
        try? layDown()
        dropContent()
        if let part {
            // What cannot be written any more is fetched again.
            try? part.flush()
            reportMoved()
        }
        let kept = kept
        if kept == nil { files.names.release(request.id) } else { files.names.settle(request.id, with: .part) }
        if let part, part.length > 0 { part.folder.note(part: part.name) }
        if let part, part.length == 0, part.isOurs { part.unlink() }
        part?.letGo()
        part = nil
        return kept
    }

    /// Lets go of the part and takes it away. Returns the file without a name, which is not quickly closed.
    func discard() -> Descriptor? {
        endDigest()
        dropContent()
        guard let part else { return nil }
        self.part = nil
        guard part.isOurs else {
            part.letGo()
            return nil
        }
        part.unlink()
        return part.file
    }
}
