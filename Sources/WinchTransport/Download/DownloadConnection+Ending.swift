import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// After the request.
extension DownloadConnection {
    func end(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        if let ending = endRefused(code, easy) { return ending }
        if case .awaitingHead = phase, decision == nil, let ending = endLogin(code, easy) { return ending }
        if let question = asked.folderQuestion { return answered(question, code) }
        if code == .ok, !asked.isHTTP, case .awaitingHead = phase, !openWithoutHead(hasBytes: false), decision == nil {
            decision = .fail(.badResponse("empty response"))
        }
        if case .sniffing = phase, decision == nil { endFolderPage(code) }
        switch decision {
        case .restart(let cause)?:
            // Taken away first: it must not end the next request as well.
            decision = nil
            return try again(cause, easy)
        case .finish(let outcome, let size)?: return .finished(outcome, size: size)
        case .verify(let file)?: return .existing(file)
        case .fail(let failure)?: return .failed(failure)
        case .endPiece?: return try endPiece()
        case nil: return try endUndecided(code, easy)
        }
    }

    private func endUndecided(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        switch phase {
        case .comparing, .receiving, .rereading: try endBody(code, easy)
        case .collecting: try endMetalink(code, easy)
        case .sniffing: .failed(curlFailure(code, easy))
        case .discarding where head.status == 416: try complete()
        case .awaitingHead
        where asked.isHTTP && !reader.isWhole && head.status > 0 && (code == .ok || code == .partialFile):
            .failed(.connectionLost("the connection ended inside the response headers"))
        case .awaitingHead where code != .ok: try settleUnanswered(code, easy)
        case .awaitingHead, .discarding: endUnopened()
        }
    }

    private func settleUnanswered(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding
    {
        if let busyReply = reader.busyReply { return .failed(.serverBusy(reply: busyReply)) }
        let failure = curlFailure(code, easy)
        if let range = asked.range, refuses(range, code, failure) { return try again(.over(.rangeRefused), easy) }
        if let ending = lookupEnding(code, failure, easy) { return ending }
        guard let question = FolderQuestion(after: code, failure, of: asked.address) else { return .failed(failure) }
        asked.aim = .folder(question)
        return again()
    }

    private func refuses(_ range: RangeRequest, _ code: CurlCode, _ failure: TransferFailure) -> Bool {
        switch failure {
        // Some servers close the connection on any Range.
        case .connectionLost, .cutShort: if range.followsRefusal, asked.isHTTP { return true }
        default: break
        }
        return switch code {
        case .restRefused, .tooManyRedirects: true
        // Some FTP servers agree to REST, and say only to RETR that they cannot go on. 421, 425 and 426 are about connections.
        case .retrieveRefused, .remoteFileNotFound:
            range.start > 0 && request.url.scheme != .sftp && reader.refusal?.hasPrefix("42") == false
        // The server names fewer bytes than are kept.
        case .badResume: settings.onChange == .restart
        default: false
        }
    }

    /// A folder of a tree is listed whole; of another one the user is asked, who wants to know how much is in it.
    private func answered(_ question: FolderQuestion, _ code: CurlCode) -> FileConnectionEnding {
        let failure = question.failure(code, path: asked.remotePath)
        guard failure.unwantedFolder != nil, request.namedParts == 0, let url = request.url.asFolder else {
            return .failed(failure)
        }
        return .folder(url)
    }

    /// An answer that `judge` left to libcurl turned out to be the last.
    private func endUnopened() -> FileConnectionEnding {
        if head.status == 401, head.offersDigest, asked.useDigest() { return again() }
        if case .fail(let failure) = ResponseVerdict(head, asked: nil) {
            return .failed(failure.httpStatus.map { self.failure($0) } ?? failure)
        }
        return .failed(.badResponse("no response"))
    }

    private func endMetalink(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        guard code == .ok else { throw curlFailure(code, easy) }
        try reportMetalink()
        return .settled
    }

    private func endBody(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        guard code == .ok || lacksOnlyReply || lacksOnlyEnd else { return .failed(curlFailure(code, easy)) }
        let have = ByteCount(bytes: position)
        if isCut { return .failed(.cutShort(have: have, expected: nil)) }
        if let total = download.version.total, position < total {
            return .failed(.cutShort(have: have, expected: ByteCount(bytes: total)))
        }
        guard phase.isReceiving else { return .failed(.cutShort(have: have, expected: nil)) }
        return try endPiece()
    }

    /// All bytes of the file are here by the server's count, and only the connection has ended in another way than it should.
    private var lacksOnlyEnd: Bool {
        head.endsWithConnection && head.namesFileSize && download.version.total == position
    }

    /// All that the connection is to bring has come: it ends, and the file is complete if all others have ended as well.
    func endPiece() throws(TransferFailure) -> FileConnectionEnding {
        try download.body.flush()
        guard download.lacksBytes else { return try complete() }
        reportMoved()
        return .pieceEnded
    }

    /// The body is complete: its last bytes are written, and the finisher gets it.
    private func complete() throws(TransferFailure) -> FileConnectionEnding {
        let size = download.version.total ?? position
        try checkSize(size)
        try download.body.flush()
        try download.body.end(at: size)
        if download.excess == .seen, !asked.isHTTP { return try askForGrowth(behind: size) }
        reportMoved()
        return download.complete(size: size, by: self, demands: reportDemands())
    }

    /// The file may grow at the server: the request for what is behind the last bytes begins with the question for the size.
    private func askForGrowth(behind size: Int64) throws(TransferFailure) -> FileConnectionEnding {
        try download.spillToPart()
        try download.body.flush()
        reportMoved()
        decision = nil
        // Others have brought what is behind its bound, and those bytes are compared as well.
        if bound != nil { bound(at: size) }
        if let part = download.body.part { askForRest(of: part) }
        return again()
    }

    private func again(_ cause: Restart, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        switch cause {
        case .over(let cause):
            guard asked.startOver(cause) else {
                return .failed(.badResponse("inconsistent ranges: \(cause.words)"))
            }
            bound = nil
        case .rest: asked.repeatRest()
        case .comparing:
            guard let part = download.body.part, asked.startComparing() else {
                return .failed(.badResponse("inconsistent ranges"))
            }
            askForRest(of: part)
        case .adopted, .otherFile: asked.returnToAddress()
        case .withoutSize: asked.ignoresSize = true
        case .redirected:
            let counted = Int(easy.fact(WINCH_REDIRECT_COUNT))
            try asked.follow(head.location ?? "", from: easy.effectiveURL, counted: counted)
            report(.redirected(asked.lastLocation ?? "", status: head.status))
        }
        return again()
    }

    func again() -> FileConnectionEnding {
        reader = HeadReader()
        phase = .awaitingHead
        download.chunks = nil
        return .again(asked.easyRequest)
    }

    func flush() {
        try? download.spillToPart()
        try? download.body.flush()
        reportMoved()
    }
}
