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
        /// A file has the name that the server gives, and its hashes decide.
        case verify(ExistingFile)
        case endPiece
    }

    /// Why a request ends before its body, and another follows in the same attempt.
    enum Restart {
        /// For the whole.
        case over(Rebase.Cause)
        /// For the same, which was refused before.
        case rest
        /// For the same, with an overlap.
        case comparing
        /// For the rest of a part that has the name which the head gives.
        case adopted
        /// For the whole: the part that was to be gone on with is of another file.
        case otherFile
        /// At the address that a redirect names: its body would have to be waited for.
        case redirected
        /// For the whole, without asking an FTP server for the size.
        case withoutSize
    }

    let request: ConnectionRequest
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
    /// The body, while it may be a list of the folder's files.
    var folderPage: FolderPage?
    /// Of this attempt.
    var mirrors = NamedMirrors()
    var hasReportedMirrors = false
    var speed: SpeedWatch
    /// Nothing is written at or beyond this position; `nil`: only the end of the body tells.
    var end: Int64?
    /// Other connections bring the bytes from here on, or they are on disk; `nil`: it brings all.
    var bound: Int64?
    var endProof = EndProof.framing
    var lastReported: Int64 = -1

    /// - Parameter probed: what the server said of the file before; `nil`: nothing.
    init(
        _ request: ConnectionRequest, of download: Download, outbox: Outbox, sshHome: SSHHome, probed: ProbedFile?,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.request = request
        self.download = download
        self.outbox = outbox
        self.sshHome = sshHome
        self.wallClock = wallClock
        asked = DownloadRequest(request)
        page = UnexpectedPageCheck(probed)
        speed = SpeedWatch(request, at: outbox.now)
    }

    /// Bytes of the file that have come, on disk or not.
    var position: Int64 { phase.overlap?.position ?? download.body.position }

    func bound(at end: Int64) { bound = end }

    /// The first bytes behind its bound come as well, to be compared with what another connection brings. `nil`: as `bound`.
    var limit: Int64? {
        guard let bound, !asked.isHTTP, let part = download.body.part else { return bound }
        return min(bound + part.seam, max(bound, download.version.total ?? 0))
    }

    var isAtBound: Bool {
        guard let bound, phase.isReceiving, decision == nil else { return false }
        return position >= bound
    }
}

// MARK: - Reports on the bytes

extension DownloadConnection {
    /// Reports the bytes that have come to be on disk since the last report.
    func reportMoved() {
        guard phase.isReceiving, written != lastReported else { return }
        let before = lastReported
        lastReported = written
        guard before < written else { return }
        report(.moved(before..<written, of: 0..<max(written, bound ?? download.version.total ?? 0)))
        download.noteMoved(before..<written, over: self, at: outbox.now)
    }

    /// Bytes on disk. A small body in memory counts when it is whole: the finisher writes it.
    private var written: Int64 {
        if download.body.part != nil { return phase.overlap?.position ?? download.body.written }
        return position == end ? position : 0
    }
}

/// Before the request: the folder, the name, and what is there already.
extension DownloadConnection {
    /// - Returns: what to ask the server; `nil` when there is nothing to ask: `decision` says why.
    func begin() throws(TransferFailure) -> EasyRequest? {
        guard !request.url.isFolder else { throw .remoteFile(.folder, path: asked.remotePath) }
        if request.url.scheme == .sftp {
            asked.ssh = try SSHAccess(request.url, settings, sshHome, at: outbox.now)
        }
        if let resume = request.resume {
            try continueDownload(resume)
        } else if let (outcome, size) = try startFresh() {
            decision = .finish(outcome, size: size)
            return nil
        }
        return asked.easyRequest
    }

    /// Opens the part of an earlier attempt, which may be shorter now than it was, or longer, or gone.
    private func continueDownload(_ resume: ResumePoint) throws(TransferFailure) {
        let (folders, partName) = try Self.split(resume.partPath)
        let preferred = try Self.split(resume.targetPath).name
        let target = try DownloadTarget(request, files: download.files, parts: folders, preferred: preferred)
        download.target = target
        download.version = FileVersion(
            total: resume.total?.bytes, validator: resume.validator, weakTag: resume.weakTag)
        guard let part = PartFile.reopen(partName, in: target.folder, target.claim(resume)) else {
            do throws(TransferFailure) {
                try PartHolder.refuse(partName, in: target.folder, of: nil)
            } catch {
                // The part is there, and the other process only adds to it.
                download.isPartHeldElsewhere = true
                throw error
            }
            // An earlier run may have ended between giving the file its name and writing that down.
            let file = AlreadyCompleteFile.find(for: request, at: target)
            asked.aim = file.map(DownloadRequest.Aim.unlessUnchanged) ?? .whole(startedOver: .lostOnRetry)
            return
        }
        // What the part says of itself was written with its bytes; the resume point may be older.
        continueDownload(with: part, part.attributes?.version ?? download.version)
        if asked.range == nil, !resume.onDisk.isEmpty { asked.aim = .whole(startedOver: .lostOnRetry) }
    }

    /// - Returns: how it ended, when no network is needed for that.
    private func startFresh() throws(TransferFailure) -> (TransferPhase.Outcome, Int64)? {
        let target = try DownloadTarget(request, files: download.files, parts: request.name?.folders ?? [])
        download.target = target
        if let outcome = try target.conflict(isNameKnown: request.name != nil, hasHashes: target.hasHashes) {
            return outcome
        }
        try target.refuseForeignWriter()
        if let (part, attributes) = target.ownPart() {
            continueDownload(with: part, attributes.version)
        } else if let file = AlreadyCompleteFile.find(for: request, at: target) {
            asked.aim = .unlessUnchanged(file)
        } else if !request.isNewAddress, let (part, attributes) = target.partOfOtherQuery() {
            download.isPartOfOtherQuery = true
            continueDownload(with: part, attributes.version)
        }
        return nil
    }

    /// Goes on with a part that is there: the bytes go into it, and its rest is asked for.
    func continueDownload(with part: PartFile, _ version: FileVersion) {
        download.body.use(part)
        download.version = version
        askForRest(of: part)
    }

    func askForRest(of part: PartFile) {
        guard let target = download.target else { return }
        // Of a URL with another query the ETag is to prove the file.
        asked.askForRest(
            of: download.resumePoint(at: target, onDisk: part.held),
            writtenFor: download.isPartOfOtherQuery ? nil : part.attributes?.url, isProven: part.isProven)
    }

    /// A path below the target folder, as this run or an earlier one wrote it down.
    private static func split(_ path: String) throws(TransferFailure) -> (folders: [Substring], name: String) {
        let parts = path.pathParts
        guard let name = parts.last, !parts.contains(".."), !parts.contains("."), path.first != "/" else {
            throw .folder(path, reason: "not a path below the target folder")
        }
        return (Array(parts.dropLast()), String(name))
    }
}

/// Ten times a second.
extension DownloadConnection {
    func check() -> TransferFailure? {
        do throws(TransferFailure) {
            try download.spillToPart()
            try download.body.flush()
        } catch {
            reportMoved()
            return error
        }
        if phase.isReceiving { download.makeCheckpoint(of: request, at: outbox.now) }
        reportMoved()
        if case .fail(let failure)? = decision, !isDiscarding { return failure }
        if let failure = download.body.checkNames(at: outbox.now) {
            download.hasher.giveUp()
            return failure
        }
        return speed.failure(at: outbox.now, isReceiving: phase.isReceiving)
    }

    /// The body of a refusal is read for a while, to keep the connection.
    private var isDiscarding: Bool {
        if case .discarding(_, let until?) = phase { outbox.now < until } else { false }
    }
}

/// What tells that a body ended where the server meant it to end.
enum EndProof: Equatable {
    /// Its length, its chunks or the size of the file. Without TLS there may be nothing but the end of the connection, which is
    /// taken for it.
    case framing
    /// TLS must have closed this connection.
    case closeNotice(UnsafeRawPointer)
    /// Only TLS could tell, and its library cannot be asked: it is not OpenSSL.
    case missing

    /// - Parameters:
    ///   - scheme: of the address that answered.
    ///   - tls: its connection; `nil`: there is none, or it cannot be seen.
    init(_ head: ResponseHead, from scheme: @autoclosure () -> TransferURL.Scheme, over tls: UnsafeRawPointer?) {
        if !head.endsWithConnection || head.namesFileSize {
            self = .framing
        } else if let tls {
            self = .closeNotice(tls)
        } else {
            self = scheme() == .https ? .missing : .framing
        }
    }
}

extension DownloadConnection {
    /// - Throws: when nothing will distinguish the end of the body from a connection that was cut.
    func findEndProof() throws(TransferFailure) {
        guard let easy else { return }
        endProof = EndProof(head, from: url(of: easy).scheme, over: easy.tlsConnection)
        guard endProof == .missing else { return }
        throw .badResponse(
            "the server names no size, and without OpenSSL a connection that was cut looks like the end of the file")
    }

    /// TLS has not closed the connection whose end was the end of the body. Known in the turn in which the request ended.
    var isCut: Bool {
        guard case .closeNotice(let connection) = endProof, let easy else { return false }
        return !easy.loop.tlsCloseNotices.contains(connection)
    }
}

/// What becomes of the body that a connection brings.
enum BodyPhase {
    /// Status and fields are due, or an answer that is none yet: a redirect, a login.
    case awaitingHead
    /// Nothing is written until the overlap, from the first byte of the body on, turned out to be the same; then the body of a
    /// file of `total` bytes is opened.
    case comparing(DownloadOverlap, from: Int64, total: Int64?)
    case receiving
    /// All of the file comes once more: it is compared with what is kept, up to the first byte that differs.
    case rereading(DownloadOverlap)
    case collecting
    /// The body may be a list of a folder's files, which is not saved.
    case sniffing
    /// The body is of no use; so many bytes of it came.
    /// - Parameter until: its rest is waited for no longer; `nil`: it is.
    case discarding(Int, until: Moment? = nil)

    /// Bytes of the body count as bytes of the file.
    var isReceiving: Bool {
        switch self {
        case .receiving, .rereading: true
        case .awaitingHead, .comparing, .collecting, .sniffing, .discarding: false
        }
    }

    /// What of the body is on disk already.
    var overlap: DownloadOverlap? {
        switch self {
        case .comparing(let overlap, _, _), .rereading(let overlap): overlap
        case .awaitingHead, .receiving, .collecting, .sniffing, .discarding: nil
        }
    }
}
