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

    func requestGoesOut() {
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
            failure = .badResponse("headers without end")
            return false
        }
        // After the body begins only trailers come, and before it nothing else counts for FTP.
        guard isHTTP, case .awaitingHead = stage else {
            if isHTTP { head.read(trailer: line) }
            return true
        }
        let before = head
        switch head.read(line) {
        case .field: return true
        case .status:
            if (300...399).contains(before.status), before.location != nil { noteRedirect(before.status) }
            return true
        case .end: return judge()
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
        case .awaitingHead:
            if isHTTP {
                // The body of an answer that `judge` left to libcurl and libcurl leaves to us.
                stage = .discarding(0)
            } else {
                guard openWithoutHead() else { return false }
            }
            return take(more: bytes)
        case .receiving, .discarding: return take(more: bytes)
        }
    }

    private func take(more bytes: UnsafeRawBufferPointer) -> Bool {
        if case .discarding(let count) = stage {
            stage = .discarding(count + bytes.count)
            return count + bytes.count <= Self.longestDiscard
        }
        // A failure while a held body is let go reaches libcurl only with the next piece.
        guard failure == nil else { return false }
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
            try part.append(bytes, isWhole: position + Int64(bytes.count) == end)
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
        case 100...199, 401, 407: return true
        case 300...399: return mayFollowRedirect()
        default: break
        }
        noteConnection()
        do throws(TransferFailure) {
            switch ResponseVerdict(head, asked: asked) {
            case .open(let offset, let end, let total, let cause):
                try judgePage()
                try judgeSize(total)
                try open(at: offset, end: end, total: total, cause: cause ?? (offset == 0 ? startedOver : nil))
            case .alreadyComplete(let total):
                try open(at: total, end: total, total: total, cause: nil)
                stage = .discarding(0)
            case .startOver(let cause):
                restart = cause
                return false
            case .fail(let failure):
                self.failure = failure
                stage = .discarding(0)
                return head.bodyLength.map { $0 <= Self.longestDiscard } ?? true
            }
            return outcome == nil
        } catch {
            failure = error
            return false
        }
    }

    /// FTP and SFTP: the first byte is the first we hear.
    func openWithoutHead() -> Bool {
        let rest = easy?.fact(WINCH_CONTENT_LENGTH) ?? -1
        let offset = asked?.offset ?? 0
        let total = rest >= 0 ? offset + rest : nil
        if let asked, total != asked.total {
            restart = .fileChanged
            return false
        }
        noteConnection()
        do throws(TransferFailure) {
            try judgeSize(total)
            try open(at: offset, end: nil, total: total, cause: startedOver)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func open(at offset: Int64, end: Int64?, total: Int64?, cause: Rebase.Cause?) throws(TransferFailure) {
        if let answered = head.validator { validator = answered } else if offset == 0 { validator = nil }
        self.total = total
        self.end = end
        if part == nil {
            try takeServersName()
            guard outcome == nil else { return }
            if let end, end == total, end <= ContentBudget.largestBody, finisher.budget.take(Int(end)) {
                content = []
                content?.reserveCapacity(Int(end))
            } else {
                part = try createPart()
            }
        }
        guard let folder else { throw .other("no folder") }
        try part?.cut(to: offset)
        if let total, FreeSpace.lacks(total - offset, in: folder) { throw .diskFull(folder: folder.path) }
        if cause != nil { part?.unmark() }
        tlsConnection = head.endsWithConnection ? easy?.tlsConnection : nil
        stage = .receiving
        noteOpened(at: offset)
        writtenBack = offset
        beginDigest(offset: offset, end: end)
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
        serversName = name.text
        targetName = names.reserve(request.id, name.text, in: folder)
        outcome = try conflict()
    }

    func createPart() throws(TransferFailure) -> PartFile {
        guard let folder else { throw .other("no folder") }
        try PartHolder.refuse(targetName + ".part", in: folder, of: request.url)
        do throws(TransferFailure) {
            return try PartFile.create(for: targetName, in: folder)
        } catch {
            // The folder may have been removed since it was opened: once more, from its path.
            guard folder.isGone else { throw error }
            folders.forget(folder)
            let again = try folder.again()
            self.folder = again
            targetName = names.reserve(request.id, targetName, in: again)
            return try PartFile.create(for: targetName, in: again)
        }
    }

    private func noteRedirect(_ status: Int) {
        guard let url = easy?.effectiveURL else { return }
        let safe = (try? TransferURL(url))?.redacted ?? url
        lastLocation = safe
        report(.redirected(safe, status: status))
    }
}
