import WinchHTTP
import WinchModel

/// What an answer's head decides.
extension DownloadConnection {
    /// The head is complete. Redirects and logins are libcurl's business; everything else is decided here.
    ///
    /// - Returns: false ends the request.
    func judge() -> Bool {
        switch head.status {
        case 304 where asked.completeFile != nil: break
        // No HTTP follows a switch of protocols, and libcurl would wait for it.
        case 101: break
        case 100...199, 401, 407: return true
        case 300...399 where head.location?.isEmpty == false: return passRedirect()
        default: break
        }
        reportConnection()
        if let file = asked.completeFile, leave(file) { return head.status == 304 }
        do throws(TransferFailure) {
            guard !download.isPartOfOtherQuery || settleOtherQuery() else {
                decision = .restart(.otherFile)
                return false
            }
            return try follow(ResponseVerdict(head, asked: asked.range, refused: asked.refused))
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// The answer is the rest of the file whose part is of a URL with another query, or it is of another file: then that part
    /// stays as it is, and nothing has changed.
    ///
    /// - Returns: false when the whole file has to be asked for.
    private func settleOtherQuery() -> Bool {
        download.isPartOfOtherQuery = false
        let verdict = ResponseVerdict(head, asked: asked.range)
        if head.isPart, download.version.validator?.isNamed(by: head) ?? false,
            case .open(_, _, _, _, nil) = verdict
        {
            return true
        }
        download.body.release()
        download.version = FileVersion()
        asked.aim = .whole(startedOver: nil)
        if case .startOver = verdict { return false }
        return !head.isPart && head.status != 416
    }

    /// For a second: a new connection takes less than that.
    private static let discardSpan: Duration = .seconds(1)

    private func follow(_ verdict: ResponseVerdict) throws(TransferFailure) -> Bool {
        switch verdict {
        case .open(let offset, let overlap, let end, let total, let cause):
            if offset == 0, overlap == 0, try beginMetalink() { return true }
            do throws(TransferFailure) {
                try page.judge(head, name: download.target?.name ?? "", part: download.body.part)
            } catch {
                // The page may be the answer to a range alone, such as one that a redirect leads to.
                guard asked.range != nil else { throw error }
                return try startOver(.rangeRefused)
            }
            try checkSize(total)
            if overlap > 0 {
                compare(from: offset - overlap, to: offset, end: end, total: total)
                return true
            }
            if cause == .fileChanged, settings.onChange == .fail { throw .changed }
            guard offset == 0 || partBelongsToTransfer else { return try startOver(.fileChanged) }
            let reason = cause ?? (offset == 0 ? asked.startedOver : nil)
            if offset == 0, beginFolderPage(end: end, total: total, cause: reason) { return true }
            try open(at: offset, end: end, total: total, cause: reason)
        case .reread(let total):
            try checkSize(total)
            try reread(total: total)
        case .askAgain: decision = .restart(.rest)
        case .compare:
            decision = .restart(.comparing)
        case .alreadyComplete(let total):
            guard partBelongsToTransfer else { return try startOver(.fileChanged) }
            try open(at: total, end: total, total: total, cause: nil)
            phase = .discarding(0)
        case .startOver(let cause):
            return try startOver(cause)
        case .fail(let failure):
            decision = .fail(failure)
            phase = .discarding(0, until: outbox.now + Self.discardSpan)
            return hasShortBody || head.status == 204 || head.status == 304
        }
        return decision == nil
    }

    /// The body of an answer that is not wanted ends soon, and where is known: it is read, to keep the connection.
    private var hasShortBody: Bool { head.bodyLength.map { $0 <= Self.longestDiscard } ?? head.hasTransferCoding }

    /// A redirect whose body ends soon is left to libcurl, which reads that body to its end; any other is followed from
    /// here at once, on another connection. So is one that leads back to the origin with the login, which libcurl has dropped.
    private func passRedirect() -> Bool {
        guard comesBack || head.isVersion1 && !hasShortBody else { return true }
        decision = .restart(.redirected)
        return false
    }

    /// The redirect leads from another origin back to that of the transfer, which gets a login.
    private var comesBack: Bool {
        guard settings.hasUser(at: request.url), let location = head.location, let easy else { return false }
        let base = url(of: easy)
        return base.origin != request.url.origin
            && TransferURL(location, relativeTo: base.text)?.origin == request.url.origin
    }

    /// - Parameter total: of the file, as the answer names it.
    /// - Throws: `.tooLarge` when the user allows less, `.badResponse` when a Metalink names another size.
    func checkSize(_ total: Int64?) throws(TransferFailure) {
        if let failure = SizeLimit(settings.maxSize).failure(declared: total) { throw failure }
        guard let total, let listed = request.listedSize, total != listed.bytes else { return }
        throw .badResponse("the file has \(total) bytes, and the Metalink names \(listed.bytes)")
    }

    /// Settles the transfer if the answer is about the very version that is there.
    ///
    /// - Returns: whether it is.
    private func leave(_ file: AlreadyCompleteFile) -> Bool {
        guard let target = download.target, file.isConfirmed(by: head) else { return false }
        decision = .finish(.alreadyComplete(path: target.folder.below + file.name), size: file.size)
        return true
    }

    /// False for a part of which only a resume point says that it is.
    private var partBelongsToTransfer: Bool { download.body.part?.belongsToTransfer ?? true }

    /// Asks for the whole in this attempt, unless a change is to be a failure (`onChange`).
    ///
    /// - Returns: false: the request ends.
    func startOver(_ cause: Rebase.Cause) throws(TransferFailure) -> Bool {
        if cause == .fileChanged, settings.onChange == .fail { throw .changed }
        decision = .restart(.over(cause))
        return false
    }
}

// MARK: - The body is taken

extension DownloadConnection {
    /// Prepares the file for the body, which follows.
    ///
    /// - Parameters:
    ///   - offset: of the first byte that is written, in the file.
    ///   - bodyStart: where the body began, if what came first was compared only; `nil`: at `offset`.
    ///   - end: of the body in the file; `nil` when only the end of the body tells.
    ///   - cause: why `offset` is less than what was kept.
    func open(
        at offset: Int64, bodyStart: Int64? = nil, end: Int64?, total: Int64?, cause: Rebase.Cause?
    ) throws(TransferFailure) {
        try findEndProof()
        let before = download.version
        download.version.take(head, offset: offset, total: total, time: answeredTime)
        self.end = end
        // A part that is not known to be the transfer's stays as it is; a new one takes the body.
        if !partBelongsToTransfer { download.body.release() }
        if download.body.part == nil {
            try takeServersName()
            guard decision == nil else { return }
            // Unless there is a part under the server's name.
            if download.body.part == nil {
                if adoptUnknownPart() { return }
                try makePlace(for: end == total ? end : nil)
            }
        }
        guard let target = download.target else { throw .other("no folder") }
        if let part = download.body.part, part.held.hasGap, offset == part.written, isSame(as: before, offset) {
            try download.body.fillGap()
        } else {
            try download.body.cut(to: offset)
        }
        if let end = download.beginChunks(id, from: offset, at: outbox.now) { bound(at: end) }
        if let part = download.body.part {
            if offset > 0, part.name == download.unknownPart { Attribute.adopted.set("1", on: part.file) }
            part.mark(download.attributes)
            part.isProven = true
        }
        let isReserved = try total.map { (total) throws(TransferFailure) in
            try takeSpace(from: offset, total: total, in: target.folder)
        }
        phase = .receiving
        lastReported = offset
        beginHashing(offset: bodyStart ?? offset, end: end)
        // Of a file that grows the queue has heard: its bytes outgrow the size.
        guard download.excess != .growing else { return }
        reportOpening(
            at: offset, onDisk: download.body.part?.held ?? ByteRanges(0..<offset), cause: cause,
            isReserved: isReserved ?? false)
        // After the opening, which takes back the warnings about an earlier body.
        if let unknown = download.unknownPart {
            report(.warned(.unknownPart(unknown, isContinued: download.body.part?.name == unknown)))
        }
        if isPageOfFolder { report(.warned(.pageOfFolder)) }
        if !head.isPage, let named = page.otherSize(than: total, head) {
            report(.warned(.otherSize(named: ByteCount(bytes: named))))
        }
        if offset == 0, !settings.hasLine("accept-encoding"), let coding = head.unexpectedCoding(of: target.name) {
            report(.warned(.encoded(coding)))
        }
    }

    /// The user may have wanted the files of a folder, as from an FTP server; one who names the file wants the page.
    private var isPageOfFolder: Bool {
        asked.isHTTP && request.name == nil && head.isPage
            && request.url.pathText.prefix { $0 != "?" }.last == "/"
    }

    /// Goes on with a part that does not say where it comes from, if a checksum will verify the whole file. Its last bytes
    /// are compared with the server's before anything is added to it.
    ///
    /// - Returns: whether another request is to be made for that.
    private func adoptUnknownPart() -> Bool {
        // The bytes of a part with the wrong hash are not tried again.
        guard !download.hasAdopted, request.resume?.have != .zero, let (name, size) = download.target?.unknownPart()
        else { return false }
        download.unknownPart = name
        guard settings.onChange == .restart, canContinue, let total = download.version.total,
            isVerifiedAsAWhole(total), size <= total, let part = download.target?.presumed(part: name, size: size)
        else { return false }
        download.hasAdopted = true
        continueDownload(with: part, download.version)
        guard asked.range != nil else {
            download.body.release()
            return false
        }
        decision = .restart(.adopted)
        return true
    }

    private func isVerifiedAsAWhole(_ total: Int64) -> Bool {
        request.pieces?.cover(ByteCount(bytes: total)) ?? false
            || !ExpectedChecksum.own(settings, listed: request.listedChecksum, from: request.listedOrigin).isEmpty
    }

    /// Refuses a body that cannot fit, and reserves the space for one that can.
    ///
    /// - Returns: whether space was reserved.
    private func takeSpace(from offset: Int64, total: Int64, in folder: TargetFolder) throws(TransferFailure) -> Bool {
        let part = download.body.part
        part?.takeOverReserve()
        try DiskSpaceCheck.require(part?.neededSpace(for: total) ?? total - offset, of: total, in: folder)
        guard let part, settings.fileAllocation == .falloc, total - offset >= DiskSpaceCheck.smallest else {
            return false
        }
        return try part.reserve(to: total)
    }

    /// The answer is about the file whose bytes are kept behind a gap.
    private func isSame(as before: FileVersion, _ offset: Int64) -> Bool {
        let now = download.version
        return offset > 0
            || now.total == before.total && now.validator == before.validator && now.validator?.isStrongETag ?? false
    }

    /// - Parameter size: of the file, all of which comes; `nil`: it is not known.
    private func makePlace(for size: Int64?) throws(TransferFailure) {
        // Pieces are read back from the part.
        if let size, request.pieces == nil, download.body.useMemory(for: size) { return }
        try download.createPart()
    }

    func reportOpening(at offset: Int64, onDisk: ByteRanges, cause: Rebase.Cause?, isReserved: Bool = false) {
        guard let target = download.target else { return }
        var resume = download.resumePoint(at: target, onDisk: onDisk)
        resume.isReserved = isReserved
        reportMirrors()
        download.noteDescription(at: mirrors.metalink)
        report(
            .opened(
                Opening(
                    status: head.status, offset: ByteCount(bytes: offset), total: resume.total, part: resume,
                    startedOver: cause, obstacle: splitObstacle, canContinue: canContinue)))
    }

    private var canContinue: Bool {
        !asked.isHTTP || (head.acceptsRanges || head.isPart) && !head.hasContentCoding
    }

    /// Why other connections cannot bring parts of the file; `nil`: they can.
    private var splitObstacle: SplitObstacle? {
        guard download.version.total != nil else { return .unknownSize }
        guard asked.isHTTP else { return nil }
        if head.isVersion10 { return .oldProtocol }
        if head.hasContentCoding { return .encoded }
        guard head.acceptsRanges || head.isPart else { return .noRanges }
        return download.version.validator == nil && !download.hasher.isDemanded ? .noValidator : nil
    }

    func beginHashing(offset: Int64, end: Int64?) {
        download.hasher.begin(
            path: download.target.map { $0.folder.below + $0.listedName }, offset: offset, end: end)
        let demands = reportDemands()
        if let part = download.body.part { download.hasher.run(demands, on: part, total: download.version.total) }
        download.beginPieces()
    }

    /// Reports the demanded hashes, when they differ from those that were reported.
    func reportDemands() -> [ExpectedChecksum] {
        let demands = download.hasher.demands(head, known: download.version.digest)
        if let unreported = download.hasher.unreported(demands) { report(.demanded(unreported)) }
        return demands
    }

    /// What is demanded of the file under the name that it gets, without what the server says of it.
    private func userDemands(of target: DownloadTarget) -> [ExpectedChecksum] {
        download.hasher.begin(path: target.folder.below + target.listedName, offset: 0, end: nil)
        return download.hasher.demands(ResponseHead())
    }

    /// Takes the server's name for the file; a complete file or a part of that name decides how the answer is used.
    private func takeServersName() throws(TransferFailure) {
        guard var target = download.target else { return }
        let nameBefore = target.name
        let hasServersName = target.takeServersName(head)
        download.target = target
        // The others have judged the URL's name before the request.
        if hasServersName || settings.onConflict == .overwrite {
            let demands = userDemands(of: target)
            if settings.onConflict == .skip,
                let file = ExistingFile(request, target.name, in: target.folder, demands)
            {
                decision = .verify(file)
                return
            }
            let hasHashes = !demands.isEmpty || request.pieces != nil
            if let (outcome, size) = try target.conflict(isNameKnown: true, hasHashes: hasHashes) {
                decision = .finish(outcome, size: size)
                return
            }
        }
        guard hasServersName, target.name != nameBefore, !download.hasAdopted else { return }
        if let file = AlreadyCompleteFile.find(for: request, at: target), leave(file) { return }
        guard let (part, attributes) = target.ownPart() else { return }
        download.hasAdopted = true
        let answered = download.version
        continueDownload(with: part, attributes.version)
        if asked.range != nil { decision = .restart(.adopted) } else { download.version = answered }
    }
}

/// Notices a page of HTML where a file was due: a login form, an error that calls itself a success.
struct UnexpectedPageCheck {
    /// What an earlier answer said of the file; `nil`: nothing.
    private let probed: ProbedFile?
    /// The answer calls itself a page, and this was expected; decided by the first bytes.
    private var expected: String?

    init(_ probed: ProbedFile?) { self.probed = probed }

    /// The size that was named before, where it is not that of the answer. Pages and encoded bodies may be of another length
    /// each time.
    func otherSize(than length: Int64?, _ head: ResponseHead) -> Int64? {
        guard let length, let named = probed?.size, named > 0, named != length, probed?.isPage != true,
            !head.hasContentCoding
        else { return nil }
        return named
    }

    /// Kept bytes are not replaced by a page unless they are one, nor is one taken of another length than was named before;
    /// else the page is taken with a warning.
    mutating func judge(_ head: ResponseHead, name: String, part: PartFile?) throws(TransferFailure) {
        expected = nil
        guard head.isPage, !head.isPart else { return }
        let knownType = probed?.isPage == false ? "another type of file" : nil
        let type = ExpectedType.binaryExtension(of: name) ?? knownType
        if let part, part.written > 0, !ExpectedType.mayBePage(part.beginning()) {
            throw .unexpectedPage(expected: type ?? "the rest of \(name)")
        }
        if let named = otherSize(than: head.bodyLength, head) {
            throw .badResponse(
                "an HTML page, not the \(named) bytes that it had named; the link may be valid for one request")
        }
        expected = type
    }

    /// To be given the first bytes of the body: many servers call everything HTML.
    mutating func warning(for bytes: UnsafeRawBufferPointer) -> TransferWarning? {
        guard let type = expected else { return nil }
        expected = nil
        return ExpectedType.mayBePage(bytes) ? .page(expected: type) : nil
    }
}

/// The largest file that the user allows (`--max-size`).
struct SizeLimit {
    let most: ByteCount?

    init(_ most: ByteCount?) { self.most = most }

    /// - Parameter total: the size of the file, as the answer names it; `nil`: it names none.
    /// - Returns: the failure of a file that is larger; found before any byte is written.
    func failure(declared total: Int64?) -> TransferFailure? {
        guard let most, let total, total > most.bytes else { return nil }
        return .tooLarge(limit: most, size: ByteCount(bytes: total))
    }

    /// - Returns: the failure of a file whose size was not known before, when `count` more bytes at `position` exceed the limit.
    func failure(receiving count: Int, at position: Int64) -> TransferFailure? {
        guard let most, Int64(count) > most.bytes - position else { return nil }
        return .tooLarge(limit: most, size: nil)
    }
}
