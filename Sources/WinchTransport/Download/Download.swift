import WinchBatch
import WinchHTTP
import WinchModel

/// One attempt at one file, from the request to a complete part. Used on the loop's thread only.
///
/// Life: `begin` opens the folder and says what to ask; libcurl's callbacks bring the head, then the body; `end` says what
/// came of it. Every way out is one of `Ending`. The parts do the work; this joins them and reports.
final class Download {
    /// What follows when a request has ended in libcurl.
    enum Ending {
        /// The same attempt goes on with another request.
        case again(EasyRequest)
        /// The host was not found, or cannot be reached: the system is asked whether the network is to blame.
        case doubtful(TransferFailure, host: String)
        /// The body is complete; the finisher's turn.
        /// - Parameter resume: what is left if that goes wrong.
        case complete(FinishJob, resume: ResumePoint)
        /// Everything is reported.
        case settled
    }

    /// What an answer comes to before its body is complete. The request ends.
    enum Decision {
        case fail(TransferFailure)
        case restart(Restart)
        /// Nothing needs to be fetched; the size of the file that is there.
        case finish(TransferPhase.Outcome, size: Int64)
    }

    /// Why a request ends before its body, and another follows in the same attempt.
    enum Restart {
        /// For the whole.
        case over(Rebase.Cause)
        /// For the same, with an overlap.
        case comparing
        /// For the rest of a part that has the name which the head gives.
        case adopted
        /// At the address that a redirect names: its body would have to be waited for.
        case redirected
    }

    let request: ConnectionRequest
    let outbox: Outbox
    /// Hears of what the file services did for this download.
    let inbox: OrderInbox
    let files: FileServices
    /// The user's SSH files and what was learned of servers in this run.
    let sshHome: SSHHome
    /// Seconds since 1970, for dates from servers.
    let wallClock: @Sendable () -> Int64
    weak var easy: EasyHandle?

    // Of the file.

    /// `nil` until its folder is open.
    var target: DownloadTarget?
    let body: BodyStore
    let hasher: BodyHasher
    var version = FileVersion()
    /// A part was found under the server's name for the file.
    var hasAdopted = false

    // Of the connection.

    var asked: FileRequest
    var reader = HeadReader()
    var phase = BodyPhase.awaitingHead
    var decision: Decision?
    var page: PageCheck
    var speed: SpeedWatch
    /// Nothing is written at or beyond this position; `nil`: only the end of the body tells.
    var end: Int64?
    /// The TLS connection whose end is the body's end.
    var closingConnection: UnsafeRawPointer?
    /// The position that was reported last.
    private var lastReported: Int64 = -1

    /// - Parameters:
    ///   - listedChecksums: for files that servers give their names.
    ///   - knownType: what an earlier answer said that the file is; `nil`: nothing, or a page.
    init(
        _ request: ConnectionRequest, outbox: Outbox, inbox: OrderInbox, files: FileServices, sshHome: SSHHome,
        listedChecksums: ChecksumList, knownType: String?, wallClock: @escaping @Sendable () -> Int64
    ) {
        self.request = request
        self.outbox = outbox
        self.inbox = inbox
        self.files = files
        self.sshHome = sshHome
        self.wallClock = wallClock
        asked = FileRequest(request)
        body = BodyStore(finisher: files.finisher, at: outbox.now)
        hasher = BodyHasher(request, listedChecksums: listedChecksums, finisher: files.finisher)
        page = PageCheck(knownType: knownType)
        speed = SpeedWatch(request, at: outbox.now)
    }

    var settings: TransferSettings { request.settings.value }
    var head: ResponseHead { reader.head }

    func report(_ event: TransportEvent) { outbox.report(request.connection, event) }

    /// Bytes of the file that have come, on disk or not.
    var position: Int64 { phase.overlap?.position ?? body.position }

    /// What the file says of itself, beside its bytes.
    var attributes: PartAttributes {
        PartAttributes(url: request.url.redacted, total: version.total, validator: version.validator)
    }
}

// MARK: - What is kept

extension Download {
    /// What the next attempt needs to go on from here; `nil` when nothing is on disk.
    var kept: ResumePoint? {
        guard let target, let part = body.part, !part.held.isEmpty else { return untouched }
        return resumePoint(at: target, onDisk: part.held)
    }

    /// The part was not even opened: it is as it was.
    private var untouched: ResumePoint? {
        body.part == nil && (target == nil || body.isHeldElsewhere) ? request.resume : nil
    }

    /// - Parameter onDisk: bytes that are, or will be, on disk.
    func resumePoint(at target: DownloadTarget, onDisk: RangeSet<Int64>) -> ResumePoint {
        var point = ResumePoint(
            partPath: target.folder.below + (body.part?.name ?? target.name + ".part"), targetPath: target.path,
            total: version.total.map { ByteCount(bytes: $0) }, validator: version.validator)
        point.onDisk = onDisk
        point.durable = body.durable
        point.mark = body.part.flatMap { FileIdentity($0.file) }
        return point
    }
}

// MARK: - Reports on the bytes

extension Download {
    /// The body begins at `offset`, which the opening tells.
    func noteOpened(at offset: Int64) { lastReported = offset }

    /// Reports the number of bytes on disk, if it has changed.
    func reportMoved() {
        guard phase.isReceiving, written != lastReported else { return }
        lastReported = written
        report(.moved(through: written))
    }

    /// Bytes on disk. A small body in memory counts when it is whole: the finisher writes it.
    private var written: Int64 {
        if body.part != nil { return phase.overlap?.position ?? body.written }
        return position == end ? position : 0
    }

    /// The finisher has tried to sync the bytes of a checkpoint.
    func wrote(_ checkpoint: Checkpoint) {
        guard checkpoint.connection == request.connection, let durable = body.ended(checkpoint) else { return }
        report(.durable(durable))
    }
}
