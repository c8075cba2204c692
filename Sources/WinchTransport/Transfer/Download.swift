import WinchCore

/// One attempt at one file, from the request to a complete part. The loop's thread's own.
///
/// Life: `begin` opens the folder and says what to ask; libcurl's callbacks bring the head, then the body; `ended` says
/// what came of it. Every way out is one of `Ending`.
final class Download {
    /// What is to be done when libcurl is through with a request.
    enum Ending {
        /// The same attempt goes on with another request.
        case again(EasyRequest)
        /// The body is complete; the finisher's turn.
        /// - Parameter resume: what is left if that goes wrong.
        case complete(FinishJob, resume: ResumePoint)
        /// All is said.
        case settled
    }

    enum Stage {
        /// Status and fields are due, or an answer that is none yet: a redirect, a login.
        case awaitingHead
        case receiving
        /// The body is of no use; so many bytes of it came.
        case discarding(Int)
    }

    let request: StartRequest
    /// False for FTP and SFTP, which have no head.
    let isHTTP: Bool
    let outbox: Outbox
    let names: NameRegistry
    let folders: FolderCache
    let finisher: Finisher
    /// Seconds since 1970, for dates from servers.
    let wallClock: @Sendable () -> Int64
    weak var easy: EasyHandle?

    var folder: TargetFolder?
    var targetName = ""
    var part: PartFile?
    /// A small body that needs no part yet: most come whole before anybody could look. Never beside a part.
    var content: [UInt8]?
    /// Where to go on from; `nil`: from the start.
    var asked: RangeRequest?
    var total: Int64?
    var validator: Validator?
    /// Nothing is written at or beyond this position.
    var end: Int64?
    /// Why the kept bytes are not gone on with.
    var startedOver: Rebase.Cause?

    var head = ResponseHead()
    var headBytes = 0
    var stage = Stage.awaitingHead
    var failure: TransferFailure?
    /// Ask once more, for the whole.
    var restart: Rebase.Cause?
    /// Nothing needs to be fetched, as the head shows.
    var outcome: (RowPhase.Outcome, Int64)?
    var hasRestarted = false
    var login = EasyRequest.Login.basic
    var isRequested = false
    var lastLocation: String?
    /// The TLS connection whose end is the body's end.
    var tlsConnection: UnsafeRawPointer?

    var wireBytes: Int64 = 0
    var pacer: Pacer
    /// The connection waits until the limit allows more.
    var isHeld = false
    var stall: StallWatch?
    var speed: SpeedFloor?
    var deadline: Moment?
    private var reported: Int64 = -1
    /// Hashes made while the body comes.
    var digest: RunningDigest?
    /// The hasher knows of so many bytes.
    var digested: Int64 = 0
    /// Where the body belongs in the file.
    var bodyRange: (offset: Int64, end: Int64?) = (0, nil)
    /// For files that servers give their names.
    var listedChecksums = ChecksumList()
    /// What a list demands of this file.
    var listed: Checksum?
    /// From Content-Disposition.
    var serversName: String?
    /// What an earlier answer said that the file is; `nil`: nothing, or a page.
    var knownType: String?
    /// The answer calls itself a page, and this was expected.
    var pageInstead: String?
    var headLines = 0
    var nextLook = Moment(nanoseconds: 0)
    /// Up to here the system was asked to write back.
    var writtenBack: Int64 = 0

    init(
        _ request: StartRequest, outbox: Outbox, names: NameRegistry, folders: FolderCache, finisher: Finisher,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.request = request
        isHTTP = request.url.scheme == .http || request.url.scheme == .https
        self.outbox = outbox
        self.names = names
        self.folders = folders
        self.finisher = finisher
        self.wallClock = wallClock
        pacer = Pacer(limit: request.rateLimit, at: outbox.now)
        deadline = (request.timeLeft ?? request.settings.value.maxTime).map { outbox.now + $0 }
    }

    /// Bytes after which the system is asked to begin writing to the disk: soon, so that the wait at the end is short.
    private static let writeBackStep: Int64 = 8 << 20

    func writeBack(_ part: PartFile) {
        guard part.written - writtenBack >= Self.writeBackStep else { return }
        finisher.writeBack(part.file, from: writtenBack, length: part.written - writtenBack)
        writtenBack = part.written
    }

    deinit {
        dropContent()
        digest?.giveUp()
    }

    /// Forgets a small body.
    func dropContent() {
        guard content != nil else { return }
        content = nil
        finisher.budget.give(Int(total ?? 0))
    }

    /// Makes a part for a small body that takes its time after all.
    func layDown() throws(TransferFailure) {
        guard let bytes = content, !bytes.isEmpty else { return }
        dropContent()
        let part = try createPart()
        self.part = part
        try part.append(bytes)
    }

    var settings: TransferSettings { request.settings.value }

    func report(_ event: TransportEvent) { outbox.report(request.id, request.stamp, event) }

    /// What the next attempt needs to go on from here; `nil` when nothing is on disk.
    var kept: ResumePoint? {
        guard let folder, let part, part.written > 0 else { return untouched }
        return resumePoint(in: folder, have: part.written)
    }

    /// - Parameter have: bytes that are, or will be, on disk.
    func resumePoint(in folder: TargetFolder, have: Int64) -> ResumePoint {
        ResumePoint(
            partPath: folder.below + (part?.name ?? targetName + ".part"), targetPath: folder.below + targetName,
            have: ByteCount(bytes: have), total: total.map { ByteCount(bytes: $0) }, validator: validator)
    }

    /// Bytes of the file that have come, on disk or not.
    var position: Int64 { part?.position ?? Int64(content?.count ?? 0) }

    /// The part was not even opened: it is as it was.
    private var untouched: ResumePoint? { part == nil && folder == nil ? request.resume : nil }

    /// Tells how much is on disk, if that is news.
    func reportMoved() {
        guard case .receiving = stage, written != reported else { return }
        reported = written
        report(.moved(have: ByteCount(bytes: written)))
    }

    /// On disk, or sure to get there: a small body counts when it is whole.
    private var written: Int64 {
        if let part { return part.written }
        return position == end ? position : 0
    }

    func noteOpened(at offset: Int64) { reported = offset }

    /// Writes beside the bytes what another run needs to go on with them.
    func mark(_ part: PartFile) {
        guard let validator else { return }
        part.mark(PartAttributes(url: request.url.redacted, total: total, validator: validator))
    }

    /// Puts on disk what has come and tells so; ten times a second.
    func tick() -> Bool {
        do throws(TransferFailure) {
            try layDown()
            guard let part else { return true }
            if part.position > 0, part.position != total { mark(part) }
            try part.flush()
        } catch {
            failure = error
        }
        reportMoved()
        return failure == nil
    }
}
