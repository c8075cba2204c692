import WinchBatch
import WinchHTTP
import WinchModel

/// One connection that brings bytes of a file, from its request to the end of its body. Used on the loop's thread only.
///
/// Life: `begin` says what to ask; libcurl's callbacks bring the head, then the body; `end` says what came of it. Every way
/// out is one of `FileConnectionEnding`. What is kept of the file is `Download`'s, which several connections can share.
final class DownloadConnection: FileConnection {
    /// What an answer comes to before its body is complete. The request ends.
    enum Decision {
        case fail(TransferFailure)
        case restart(Restart)
        /// Nothing needs to be fetched; the size of the file that is there.
        case finish(TransferPhase.Outcome, size: Int64)
        /// The position at which it was bounded is reached.
        case endPiece
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
    /// The file that it brings bytes of.
    let download: Download
    let outbox: Outbox
    /// The user's SSH files and what was learned of servers in this run.
    let sshHome: SSHHome
    /// Seconds since 1970, for dates from servers.
    let wallClock: @Sendable () -> Int64
    weak var easy: EasyHandle?

    var asked: DownloadRequest
    var reader = HeadReader()
    var phase = BodyPhase.awaitingHead
    var decision: Decision?
    var page: UnexpectedPageCheck
    /// The body, while it is collected.
    var metalink: MetalinkBody?
    /// Of this attempt.
    var mirrors = NamedMirrors()
    var hasReportedMirrors = false
    var speed: SpeedWatch
    /// Nothing is written at or beyond this position; `nil`: only the end of the body tells.
    var end: Int64?
    /// Other connections bring the bytes from here on, or they are on disk; `nil`: it brings all.
    private(set) var bound: Int64?
    /// The TLS connection whose end is the body's end.
    var closingConnection: UnsafeRawPointer?
    /// The position that was reported last.
    private var lastReported: Int64 = -1

    /// - Parameter knownType: what an earlier answer said that the file is; `nil`: nothing, or a page.
    init(
        _ request: ConnectionRequest, of download: Download, outbox: Outbox, sshHome: SSHHome, knownType: String?,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.request = request
        self.download = download
        self.outbox = outbox
        self.sshHome = sshHome
        self.wallClock = wallClock
        asked = DownloadRequest(request)
        page = UnexpectedPageCheck(knownType: knownType)
        speed = SpeedWatch(request, at: outbox.now)
    }

    /// Bytes of the file that have come, on disk or not.
    var position: Int64 { phase.overlap?.position ?? download.body.position }

    func bound(at end: Int64) { bound = end }

    var isAtBound: Bool {
        guard let bound, phase.isReceiving, decision == nil else { return false }
        return position >= bound
    }
}

// MARK: - Reports on the bytes

extension DownloadConnection {
    /// The body begins at `offset`, which the opening tells.
    func noteOpened(at offset: Int64) { lastReported = offset }

    /// Reports the number of bytes on disk, if it has changed.
    func reportMoved() {
        guard phase.isReceiving, written != lastReported else { return }
        let before = lastReported
        lastReported = written
        report(.moved(through: written))
        if before < written { download.noteBrought(before..<written, from: request.url) }
    }

    /// Bytes on disk. A small body in memory counts when it is whole: the finisher writes it.
    private var written: Int64 {
        if download.body.part != nil { return phase.overlap?.position ?? download.body.written }
        return position == end ? position : 0
    }
}
