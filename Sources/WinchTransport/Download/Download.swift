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
        /// The host was not found, or cannot be reached: the system is asked whether the network is to blame.
        case doubtful(TransferFailure, host: String)
        /// The body is complete; the finisher's turn.
        /// - Parameter resume: what is left if that goes wrong.
        case complete(FinishJob, resume: ResumePoint)
        /// All is said.
        case settled
    }

    enum Stage {
        /// Status and fields are due, or an answer that is none yet: a redirect, a login.
        case awaitingHead
        /// Nothing is written until the overlap turned out to be the same.
        case comparing
        case receiving
        /// The body is of no use; so many bytes of it came.
        case discarding(Int)
    }

    /// Why a request ends before its body, and another follows in the same attempt.
    enum Restart {
        /// For the whole.
        case over(Rebase.Cause)
        /// For the same, with an overlap.
        case comparing
        /// For the rest of a part whose name the head gave away.
        case adopted
        /// At the address that a redirect names: its body would have to be waited for.
        case redirected
    }

    let request: StartRequest
    /// False for FTP and SFTP, which have no head.
    let isHTTP: Bool
    let outbox: Outbox
    /// Hears of what the file services did for this download.
    let inbox: OrderInbox
    let files: FileServices
    /// Seconds since 1970, for dates from servers.
    let wallClock: @Sendable () -> Int64
    weak var easy: EasyHandle?
    /// The user's SSH files and what was learned of servers in this run.
    let sshHome: SSHHome
    var ssh: SSHAccess?
    /// There is no such file; whether there is a folder of the name is being found out.
    var folderQuestion: FolderQuestion?
    /// An FTP server has said that it has no room.
    var busyReply: String?

    var folder: TargetFolder?
    var targetName = ""
    var part: PartFile?
    /// A small body that needs no part yet: most come whole before anybody could look. Never beside a part.
    var content: [UInt8]?
    /// Where to go on from; `nil`: from the start.
    var asked: RangeRequest?
    /// What of the body is on disk already.
    var overlap: Overlap?
    /// The file is there, if the server says that this is still the one.
    var found: CompleteFile?
    var total: Int64?
    var validator: Validator?
    /// Nothing is written at or beyond this position.
    var end: Int64?
    /// Another process holds the part.
    var isPartElsewhere = false
    /// Why the kept bytes are not gone on with.
    var startedOver: Rebase.Cause?

    var head = ResponseHead()
    /// The blank line behind the head has come.
    var isHeadWhole = false
    var headBytes = 0
    var stage = Stage.awaitingHead
    var failure: TransferFailure?
    var restart: Restart?
    /// Nothing needs to be fetched, as the head shows.
    var outcome: (RowPhase.Outcome, Int64)?
    var hasRestarted = false
    /// A part was found under the server's name for the file.
    var hasAdopted = false
    /// Nothing but the kept bytes tells whether the server has the same file.
    var isComparing = false
    var login = EasyRequest.Login.basic
    var isRequested = false
    var lastLocation: String?
    /// Where a redirect led that libcurl did not follow; `nil`: the address of the request.
    var hop: Hop?
    /// Redirects followed so far, as far as libcurl does not count them.
    var hops = 0
    var needsFreshConnection = false
    /// When the rest of a body that is of no use is not waited for any more.
    var discardEnd: Moment?
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
    /// When the part was last to be synced.
    private var checkpointed: Moment
    private var isCheckpointing = false
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
    var toldDemands: [DigestDemand] = []
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
        _ request: StartRequest, outbox: Outbox, inbox: OrderInbox, files: FileServices, sshHome: SSHHome,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.request = request
        isHTTP = request.url.scheme == .http || request.url.scheme == .https
        self.outbox = outbox
        self.inbox = inbox
        self.files = files
        self.wallClock = wallClock
        self.sshHome = sshHome
        checkpointed = outbox.now
        pacer = Pacer(limit: request.rateLimit, at: outbox.now)
        deadline = (request.timeLeft ?? request.settings.value.maxTime).map { outbox.now + $0 }
    }

    /// Bytes after which the system is asked to begin writing to the disk: soon, so that the wait at the end is short.
    private static let writeBackStep: Int64 = 8 << 20

    func writeBack(_ part: PartFile) {
        guard part.written - writtenBack >= Self.writeBackStep else { return }
        files.finisher.writeBack(part.file, from: writtenBack, length: part.written - writtenBack)
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
        files.finisher.budget.give(Int(total ?? 0))
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
        var point = ResumePoint(
            partPath: folder.below + (part?.name ?? targetName + ".part"), targetPath: folder.below + targetName,
            have: ByteCount(bytes: have), total: total.map { ByteCount(bytes: $0) }, validator: validator)
        point.durable = ByteCount(bytes: part?.durable.bytes ?? 0)
        point.mark = part.flatMap { FileMark($0.file) }
        return point
    }

    /// Bytes of the file that have come, on disk or not.
    var position: Int64 { overlap?.position ?? part?.position ?? Int64(content?.count ?? 0) }

    /// The part was not even opened: it is as it was.
    private var untouched: ResumePoint? { part == nil && (folder == nil || isPartElsewhere) ? request.resume : nil }

    /// Tells how much is on disk, if that is news.
    func reportMoved() {
        guard case .receiving = stage, written != reported else { return }
        reported = written
        report(.moved(have: ByteCount(bytes: written)))
    }

    /// On disk, or sure to get there: a small body counts when it is whole.
    private var written: Int64 {
        if let part { return overlap?.position ?? part.written }
        return position == end ? position : 0
    }

    func noteOpened(at offset: Int64) { reported = offset }

    var attributes: PartAttributes {
        PartAttributes(url: request.url.redacted, total: total, validator: validator)
    }

    /// Writes beside the bytes what another run needs to go on with them.
    func mark(_ part: PartFile) { part.mark(attributes) }

    /// Puts on disk what has come and tells so; ten times a second.
    func tick() -> Bool {
        do throws(TransferFailure) {
            try layDown()
            guard let part else { return true }
            try part.flush()
            writeCheckpoint(of: part)
        } catch {
            failure = error
        }
        reportMoved()
        return failure == nil
    }

    /// 10 s: no more than comes in that time is lost with the power.
    private static let checkpointSpan: Duration = .seconds(10)

    private func writeCheckpoint(of part: PartFile) {
        guard !isCheckpointing, case .receiving = stage, outbox.now - checkpointed >= Self.checkpointSpan,
            part.written > part.durable.bytes
        else { return }
        isCheckpointing = true
        checkpointed = outbox.now
        files.finisher.write(
            Checkpoint(
                id: request.id, stamp: request.stamp, client: inbox, file: part.file, durable: part.durable,
                length: part.written,
                age: part.durable.age))
    }

    /// The disk has what it was asked to keep, or cannot.
    func wrote(_ checkpoint: Checkpoint) {
        guard checkpoint.stamp == request.stamp, let part, part.durable === checkpoint.durable else { return }
        isCheckpointing = false
        if checkpoint.length <= part.durable.bytes { report(.durable(ByteCount(bytes: checkpoint.length))) }
    }
}
