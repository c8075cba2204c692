import CTransport
import WinchCore

/// The answer as it comes. Called from libcurl, so nothing here may call back into the loop.
extension Download: ResponseReceiver {
    /// More than any honest server sends; libcurl itself would take heads without end.
    private static let longestHead = 256 << 10
    /// Over all redirects, as is their length.
    private static let mostLines = 4000
    /// An error page up to this is read, so that its connection can be used again.
    private static let longestDiscard = 64 << 10
    /// For a second: a new connection takes less than that.
    private static let discardSpan: Duration = .seconds(1)

    func requestGoesOut() {
        ssh?.succeeded()
        if stall == nil { stall = StallWatch(at: outbox.now, bytes: wireBytes) }
        guard !isRequested else { return }
        isRequested = true
        report(.requested)
    }

    func take(header line: UnsafeRawBufferPointer) -> Bool {
        wireBytes += Int64(line.count)
        headBytes += line.count
        headLines += 1
        guard headBytes <= Self.longestHead, headLines <= Self.mostLines else {
            failure = .badResponse("response headers are too long")
            return false
        }
        // After the body begins only trailers come, and before it nothing else counts for FTP.
        guard isHTTP, case .awaitingHead = stage else {
            if isHTTP { head.read(trailer: line) } else if busyReply == nil { busyReply = FTPReply.busy(in: line) }
            return true
        }
        let before = head
        switch head.read(line) {
        case .field: return true
        case .status:
            isHeadWhole = false
            if (300...399).contains(before.status), before.location != nil { noteRedirect(before.status) }
            return true
        case .end:
            isHeadWhole = true
            if head.mayHideExcess { easy?.watchForExcess(bodyLength: head.bodyLength) }
            return judge()
        }
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard pacer.allowsMore(at: outbox.now) else {
            isHeld = true
            return .notNow
        }
        pacer.take(Int64(bytes.count), at: outbox.now)
        return receive(bytes) ? .taken : .refused
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        wireBytes += Int64(bytes.count)
        switch stage {
        case .awaitingHead where folderQuestion != nil:
            folderQuestion?.isAnswered = true
            return false
        case .awaitingHead:
            if isHTTP {
                // The body of an answer that `judge` left to libcurl and libcurl leaves to us.
                stage = .discarding(0)
            } else {
                guard openWithoutHead() else { return false }
            }
            return take(more: bytes)
        case .comparing, .receiving, .discarding: return take(more: bytes)
        }
    }

    private func take(more bytes: UnsafeRawBufferPointer) -> Bool {
        if case .discarding(let count) = stage {
            stage = .discarding(count + bytes.count)
            return count + bytes.count <= Self.longestDiscard
        }
        // A failure while a held body is let go reaches libcurl only with the next piece.
        guard failure == nil, restart == nil else { return false }
        var bytes = bytes
        let position = position
        if let end, Int64(bytes.count) > end - position {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(max(0, end - position))])
        }
        guard !isTooMuch(bytes.count) else {
            failure = settings.maxSize.map { .tooLarge(limit: $0, size: nil) }
            return false
        }
        warnOfPage(bytes)
        if content != nil {
            content?.append(contentsOf: bytes)
            return true
        }
        guard let part else { return false }
        do throws(TransferFailure) {
            guard try compare(&bytes) else { return false }
            guard !bytes.isEmpty else { return true }
            try part.append(bytes, isWhole: part.position + Int64(bytes.count) == end)
            writeBack(part)
            feedDigest()
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// The head is complete. Redirects and logins are libcurl's business; everything else is decided here.
    private func judge() -> Bool {
        switch head.status {
        case 304 where found != nil: break
        // Nothing of HTTP follows it, and libcurl would wait.
        case 101: break
        case 100...199, 401, 407: return true
        case 300...399: return passRedirect()
        default: break
        }
        noteConnection()
        if let found {
            leave(found)
            if outcome != nil { return head.status == 304 }
        }
        do throws(TransferFailure) {
            switch ResponseVerdict(head, asked: asked) {
            case .open(let offset, let overlap, let end, let total, let cause):
                try judgePage()
                try judgeSize(total)
                if overlap > 0 {
                    compare(from: offset - overlap, to: offset, end: end, total: total)
                    return true
                }
                if cause == .fileChanged, settings.onChange == .fail { throw .changed }
                guard offset == 0 || isPartOurs else { return try startOverUnproven() }
                try open(at: offset, end: end, total: total, cause: cause ?? (offset == 0 ? startedOver : nil))
            case .reread(let total):
                try judgeSize(total)
                try reread(total: total)
            case .compare:
                restart = .comparing
                return false
            case .alreadyComplete(let total):
                guard isPartOurs else { return try startOverUnproven() }
                try open(at: total, end: total, total: total, cause: nil)
                stage = .discarding(0)
            case .startOver(let cause):
                try startOver(cause)
                return false
            case .fail(let failure):
                self.failure = failure
                stage = .discarding(0)
                discardEnd = outbox.now + Self.discardSpan
                return hasShortBody || head.status == 204 || head.status == 304
            }
            return outcome == nil && restart == nil
        } catch {
            failure = error
            return false
        }
    }

    /// The body of an answer that is not wanted ends soon, and where is known: it is read, to keep the connection.
    private var hasShortBody: Bool { head.bodyLength.map { $0 <= Self.longestDiscard } ?? head.hasTransferCoding }

    /// A redirect whose body ends soon is left to libcurl, which reads that body to its end; any other is followed from
    /// here at once, on another connection.
    private func passRedirect() -> Bool {
        guard mayFollowRedirect() else { return false }
        guard head.isVersion1, head.location?.isEmpty == false, !hasShortBody else { return true }
        restart = .redirected
        return false
    }

    /// What the answer says of the file holds from now on.
    func take(headOf offset: Int64, end: Int64?, total: Int64?) {
        if let answered = head.validator { validator = answered } else if offset == 0 { validator = nil }
        self.total = total
        self.end = end
    }

    /// The body is taken, from `offset` of the file on.
    ///
    /// - Parameter bodyStart: where the body began, if what came first was compared only.
    func open(
        at offset: Int64, bodyStart: Int64? = nil, end: Int64?, total: Int64?, cause: Rebase.Cause?
    ) throws(TransferFailure) {
        take(headOf: offset, end: end, total: total)
        if !isPartOurs { leavePart() }
        if part == nil {
            try takeServersName()
            guard outcome == nil, restart == nil else { return }
            // A part may have turned up under the server's name.
            if part == nil {
                if let end, end == total, end <= ContentBudget.largestBody, files.finisher.budget.take(Int(end)) {
                    content = []
                    content?.reserveCapacity(Int(end))
                } else {
                    part = try createPart()
                }
            }
        }
        guard let folder else { throw .other("no folder") }
        try part?.cut(to: offset)
        if let part { mark(part) }
        if let total { try FreeSpace.require(total - offset, of: total, in: folder) }
        tlsConnection = head.endsWithConnection ? easy?.tlsConnection : nil
        stage = .receiving
        noteOpened(at: offset)
        writtenBack = offset
        beginDigest(offset: bodyStart ?? offset, end: end)
        tellOpening(at: offset, in: folder, cause: cause)
    }

    /// False for a part of which only a resume point says that it is.
    var isPartOurs: Bool { part?.isOurs ?? true }

    /// The part stays as it is, and the file comes into a new one.
    private func leavePart() {
        part?.letGo()
        part = nil
    }

    /// The answer was to prove that the part is ours, and does not.
    private func startOverUnproven() throws(TransferFailure) -> Bool {
        try startOver(.fileChanged)
        return false
    }

    func tellOpening(at offset: Int64, in folder: TargetFolder, cause: Rebase.Cause?) {
        let resume = resumePoint(in: folder, have: offset)
        report(
            .opened(
                Opening(
                    status: head.status, offset: ByteCount(bytes: offset), total: resume.total, part: resume,
                    startedOver: cause)))
    }

    /// A name in Content-Disposition takes the place of the URL's, unless a person named the file.
    private func takeServersName() throws(TransferFailure) {
        guard request.name == nil, request.resume == nil, let folder, let disposition = head.disposition,
            let text = ContentDisposition.filename(disposition), let name = TargetName(sanitizing: text)
        else { return }
        let wasName = targetName
        serversName = name.text
        reserve(name.text, in: folder)
        outcome = try conflict()
        guard outcome == nil, targetName != wasName, !hasAdopted else { return }
        if let found = findComplete() { leave(found) }
        guard outcome == nil else { return }
        let (validator, total) = (self.validator, self.total)
        hasAdopted = adopt(in: folder)
        if asked != nil { restart = .adopted } else { (self.validator, self.total) = (validator, total) }
    }

    func createPart() throws(TransferFailure) -> PartFile {
        guard let folder else { throw .other("no folder") }
        try PartHolder.refuse(targetName + ".part", in: folder, of: request.url)
        do throws(TransferFailure) {
            return try PartFile.create(for: targetName, in: folder, attributes)
        } catch {
            // The folder may have been removed since it was opened: once more, from its path.
            guard folder.isGone else { throw error }
            files.folders.forget(folder)
            let again = try folder.again()
            self.folder = again
            reserve(targetName, in: again)
            return try PartFile.create(for: targetName, in: again, attributes)
        }
    }

    private func noteRedirect(_ status: Int) {
        guard let url = easy?.effectiveURL else { return }
        let safe = (try? TransferURL(url))?.redacted ?? url
        lastLocation = safe
        report(.redirected(safe, status: status))
    }
}
