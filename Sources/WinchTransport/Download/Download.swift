import WinchBatch
import WinchHTTP
import WinchModel
import WinchProgress

/// One file that is being fetched: where it goes, its bytes so far, its hashes and its version. Used on the loop's thread
/// only.
final class Download {
    let request: ConnectionRequest
    /// Hears of what the file services did for this download.
    let inbox: OrderInbox
    let files: FileServices
    /// `nil` until its folder is open.
    var target: DownloadTarget?
    let body: BodyStore
    let hasher: BodyHasher
    var version = FileVersion()
    var excess = Excess.notSeen
    /// A part was found under the server's name for the file.
    var hasAdopted = false
    /// The part is of a URL with another query, and the server has not said yet whether it is of the same file.
    var isPartOfOtherQuery = false
    /// Another process writes the part that an earlier attempt left.
    var isPartHeldElsewhere = false
    /// A file that has the part's name, and does not say where it comes from.
    var unknownPart: String?
    /// Which of its connections brings which bytes; `nil`: the first brings all.
    var chunks: ChunkMap?
    /// A request for a part was refused: no further one is made while a connection runs.
    var isAskingNoMore = false
    /// `nil`: the hashes of its pieces are not known, or its size is not.
    var pieces: PieceVerifier?
    /// Of the Metalink that the server has named: they hold for every body of the attempt.
    var describedPieces: PieceHashes?
    var origins = ByteOrigins()
    var bodies = 0
    /// The Metalink that the responses of this attempt have named; `nil`: none, or none is to be used.
    var describedBy: TransferURL?
    var isAwaitingDescription = false
    /// All bytes are there, and some pieces are being checked, or the Metalink has not come.
    var waitingEnd: WaitingEnd?

    /// Bytes that an FTP server sends behind the size that it named.
    enum Excess {
        case notSeen
        /// The file has grown since, or the size is wrong: the file is not what came of it.
        case seen
        /// Asked once more, the server named a larger size: the file grows, and each size that it names is a whole file.
        case growing
    }

    /// The end of a file whose last pieces are being checked, or whose Metalink is awaited.
    struct WaitingEnd {
        /// They have brought all that they were to bring; the first brought the last bytes.
        var connections: [any FileConnection]
        let size: Int64
    }

    /// - Parameters:
    ///   - request: of the first connection.
    ///   - listedChecksums: for files that servers give their names.
    init(
        _ request: ConnectionRequest, inbox: OrderInbox, files: FileServices, listedChecksums: ChecksumList,
        at now: Moment
    ) {
        self.request = request
        self.inbox = inbox
        self.files = files
        // FTP and SFTP name no version: only its bytes tell that two connections bring one file. Pieces with hashes tell which is
        // right.
        let isCompared = !request.url.scheme.isHTTP && request.pieces == nil
        body = BodyStore(finisher: files.finisher, seam: isCompared ? RangeRequest.longestOverlap : 0, at: now)
        hasher = BodyHasher(request, listedChecksums: listedChecksums, finisher: files.finisher)
    }

    /// Its connections that have not ended. Before another takes up what the last has left there may be none.
    var connections: Set<ConnectionID> = []
    /// The last connection that had nothing to bring any more.
    var lastRested: ConnectionID?
    /// Until then its bytes are reported often, so that it is soon seen whether another connection helps.
    private(set) var isWatchedUntil: Moment?

    /// What the file says of itself, beside its bytes.
    var attributes: PartAttributes {
        PartAttributes(url: request.url.redacted, version: version)
    }
}

// MARK: - Connections

extension Download {
    func join(_ id: ConnectionID, at now: Moment) {
        connections.insert(id)
        isWatchedUntil = now + Self.watchSpan
    }

    /// A body begins, and the first connection is to bring it up to what is on disk behind it.
    ///
    /// - Returns: where the connection is to end; `nil`: at the end of the file.
    func beginChunks(_ id: ConnectionID, from offset: Int64, at now: Moment) -> Int64? {
        chunks = nil
        // Of what a file has grown by no other connection brings a part: it may go on growing.
        guard let total = version.total, excess != .growing else { return nil }
        let least = request.settings.value.minSplitSize.bytes
        var map = ChunkMap(total: total, onDisk: body.part?.held ?? ByteRanges(0..<offset), minSplit: least)
        let first = map.assign(id.number, isOpenEnded: true, at: now)?.range
        guard first == nil || first?.lowerBound == offset else { return nil }
        chunks = map
        return first.flatMap { $0.upperBound < total ? $0.upperBound : nil }
    }

    /// Bytes have come over a connection and are on disk.
    func noteMoved(_ bytes: Range<Int64>, over connection: any FileConnection, at now: Moment) {
        chunks?.moved(connection.id.number, through: bytes.upperBound, at: now)
        guard pieces != nil || isAwaitingDescription else { return }
        origins.note(bytes, from: connection.request.url)
        checkPieces()
    }

    func isNew(at now: Moment) -> Bool { isWatchedUntil.map { now < $0 } ?? false }

    /// So many bytes are missing that another connection may help, and one was opened a short while ago.
    func isWatched(at now: Moment) -> Bool {
        guard isNew(at: now), let part = body.part, let total = version.total else { return false }
        return total - part.written > Self.leastWatched
    }

    /// 3 s: a level of connections is judged within two.
    private static let watchSpan = Duration.seconds(3)
    /// 2 MiB: two pieces of the least size that is split.
    private static let leastWatched: Int64 = 2 << 20
}

// MARK: - The end

extension Download {
    /// The size is known, and bytes of the file are not on disk yet.
    var lacksBytes: Bool {
        guard let part = body.part, let total = version.total else { return false }
        return part.written < total
    }

    /// The whole file is on disk or in memory: it is handed to the finisher.
    ///
    /// - Parameter connection: it brought the last bytes.
    func complete(
        size: Int64, by connection: any FileConnection, demands: [ExpectedChecksum]
    ) -> FileConnectionEnding {
        guard let target else { return .failed(.other("no folder")) }
        guard excess != .seen else { return .failed(.sentMore(than: size)) }
        guard body.part?.isMixed != true else { return .failed(.mixed) }
        if hasPiecesToCheck || isAwaitingDescription {
            checkPieces()
            // Another may have brought bytes once more that were there.
            waitingEnd = WaitingEnd(connections: (waitingEnd?.connections ?? []) + [connection], size: size)
            return .unchecked
        }
        if let part = body.part { hasher.feed(part, isLast: true) }
        connection.report(.bodyEnded(size: ByteCount(bytes: size)))
        let resume = resumePoint(at: target, onDisk: ByteRanges(0..<size))
        let digest = hasher.takeRunning()
        // Pieces are read back from the part; without one, and where the size was not known before, the finisher checks them.
        var demands = demands
        if let hashes = request.pieces ?? describedPieces, pieces == nil || body.part == nil {
            if let verifier = PieceVerifier(hashes, total: size, body: bodies) {
                demands += verifier.demands
            } else if request.pieces != nil {
                return .failed(
                    .badResponse("the file has \(size) bytes, and the hashes of its pieces are of another size"))
            }
        }
        let isFromUnknownPart = unknownPart != nil && unknownPart == body.part?.name
        let job = FinishJob(
            connection: connection.id, client: inbox, folder: target.folder, targetName: target.name,
            body: body.takeComplete(size: size), size: size, demands: demands,
            digest: size <= FinishJob.smallest ? nil : digest, conflict: connection.settings.onConflict,
            attributes: attributes, claim: FinishClaim(), isFromUnknownPart: isFromUnknownPart,
            modified: request.setsTime
                ? request.exactTime ?? version.time ?? request.listedVersion?.time?.seconds : nil)
        return .complete(job, resume: resume)
    }

    /// Puts the bytes so far on disk and closes the part.
    ///
    /// - Returns: the state of the part; `nil`: nothing is kept.
    func close() -> ResumePoint? {
        hasher.giveUp()
        // Bytes that cannot be written are fetched again.
        try? spillToPart()
        body.dropMemory()
        if let part = body.part {
            try? body.flush()
            // The next attempt could not tell the bytes of one file from those of the other.
            if part.isMixed { try? body.cut(to: 0) }
            try? part.dropUnsynced()
            part.giveBackReserve()
            if part.length > 0 { part.folder.note(part: part.name) }
        }
        let kept = kept
        files.names.settle(request.transfer, with: kept == nil ? nil : .part)
        if let part = body.part, part.length == 0, part.belongsToTransfer { part.unlink() }
        body.release()
        return kept
    }

    /// Bytes of the part are to survive a power loss from now on, if it is time for that.
    func makeCheckpoint(of request: ConnectionRequest, at now: Moment) {
        guard let checkpoint = body.dueCheckpoint(of: request, for: inbox, at: now) else { return }
        files.finisher.write(checkpoint)
    }
}

// MARK: - What is kept

extension Download {
    /// What the next attempt needs to go on from here; `nil` when nothing is on disk.
    var kept: ResumePoint? {
        guard !isPartOfOtherQuery, let target, let part = body.part, !part.held.isEmpty, !part.isMixed else {
            return untouched
        }
        return resumePoint(at: target, onDisk: part.held)
    }

    /// The part was not even opened: it is as it was.
    private var untouched: ResumePoint? {
        body.part == nil && (target == nil || isPartHeldElsewhere) ? request.resume : nil
    }

    /// - Parameter onDisk: bytes that are, or will be, on disk.
    func resumePoint(at target: DownloadTarget, onDisk: ByteRanges) -> ResumePoint {
        var point = ResumePoint(
            partPath: target.folder.below + (body.part?.name ?? target.name + ".part"), targetPath: target.path,
            total: version.total.map { ByteCount(bytes: $0) }, validator: version.validator)
        point.weakTag = version.weakTag
        point.onDisk = onDisk
        point.durable = body.durable
        // Without it the next attempt compares the last bytes, as this one has not done.
        point.mark = body.part.flatMap { $0.isProven ? FileIdentity($0.file) : nil }
        return point
    }
}

// MARK: - The part

extension Download {
    /// Puts a small body that has not come within a tick into a part.
    func spillToPart() throws(TransferFailure) {
        guard let bytes = body.memory else { return }
        try createPart()
        try body.append(bytes)
    }

    func createPart() throws(TransferFailure) {
        guard var target else { throw .other("no folder") }
        defer { self.target = target }
        body.use(try target.createPart(attributes))
    }

    /// Closes and removes the part.
    ///
    /// - Returns: the file without a name, which may take long to close; `nil`: there is none.
    func discard() -> Descriptor? {
        hasher.giveUp()
        return body.remove()
    }
}

extension TransferFailure {
    static func sentMore(than size: Int64) -> TransferFailure {
        .badResponse("the server sends more than the \(size) bytes that it named")
    }
}

/// What is known of the whole file at the server: later answers must be about the same.
struct FileVersion: Hashable, Sendable {
    /// Bytes; `nil`: the server has not said.
    var total: Int64?
    var validator: Validator?
    /// As the last answer that had an ETag named it (`ResponseHead.weakTag`).
    var weakTag: String?
    /// What the server says that the whole file hashes to: later answers about a part may not repeat it.
    var digest: ExpectedChecksum?
    /// When it was changed, in seconds since 1970; `nil`: the server has not said, or the file is not to get that time. An answer
    /// that nothing is missing from a part (416) names none.
    var time: Int64?

    /// Takes what the head of an answer says.
    ///
    /// - Parameters:
    ///   - offset: of the body: without an answer about the kept bytes they keep their validator.
    ///   - total: as the answer names it.
    ///   - time: as the answer names it (`answeredTime`).
    mutating func take(_ head: ResponseHead, offset: Int64, total: Int64?, time: Int64? = nil) {
        if let (checksum, field) = head.reprChecksum, !head.hasContentCoding {
            digest = ExpectedChecksum(checksum, origin: .header(field))
        } else if offset == 0 {
            digest = nil
        }
        if head.hasContentCoding {
            // Other answers may have the same validator and not be encoded.
            (validator, weakTag) = (nil, nil)
        } else if let answered = head.validator {
            validator = answered
        } else if offset == 0 {
            validator = nil
        }
        if !head.hasContentCoding, head.entityTag != nil || offset == 0 { weakTag = head.weakTag }
        if time != nil || offset == 0 { self.time = time }
        self.total = total
    }
}
