import CTransport
import WinchHTTP
import WinchModel

/// One attempt at an upload: the source, the requests of its dialogue, and what the server has of it. Used on the loop's
/// thread only.
final class UploadConnection: TransferConnection {
    let request: ConnectionRequest
    let order: UploadOrder
    let outbox: Outbox
    var easy: EasyHandle?
    var speed: SpeedWatch
    private(set) var ssh: SSHAccess?
    var reader = HeadReader()
    /// `nil`: the dialogue does not wait.
    private(set) var pause: Pause?
    private let whenReadable: @Sendable () -> Void

    /// Where FTP and SFTP send to.
    private var target: TransferURL
    private let folders: KnownFolders
    /// `nil`: not begun.
    private var dialogue: (any UploadDialogue)?
    let source: UploadSource
    /// The request under way.
    var asked: UploadRequest?
    /// What the server asked for holds for the requests that follow: a body that is refused for its login was sent in vain.
    private var login = EasyRequest.Login.usual
    var needsFreshConnection = false
    var answerBody = AnswerBody()
    /// The position in the source up to which bytes were given to libcurl.
    var given: Int64 = 0
    /// What was reported last of what left the machine; `nil`: nothing in this attempt.
    var reported: Int64?
    /// What the server has said last that it has, while it receives (status 104), and when.
    var confirmed: (position: Int64, at: Moment)?
    var isReplying = false
    /// The server has asked for the login in the request under way: what is sent from now on is sent with it.
    var isChallenged = false
    /// The request was ended before its body, a stream that may have to be sent twice.
    var mustKeepStream = false
    /// Why the connection ends although libcurl goes on.
    var failure: TransferFailure?
    private var place: UploadPlace?
    /// What an earlier attempt has left, of another version of the source; nothing goes on with it.
    private(set) var stale: UploadPlace?
    /// The ledger knows that a request which must not be made twice is under way.
    private var isAnnounced = false

    /// - Parameter whenReadable: called on another thread when a source that was waited for has bytes.
    init(
        _ request: ConnectionRequest, _ order: UploadOrder, outbox: Outbox, sshHome: SSHHome, folders: KnownFolders,
        streams: OpenStreams, whenReadable: @escaping @Sendable () -> Void
    ) throws(TransferFailure) {
        (self.request, self.order, self.outbox, self.whenReadable) = (request, order, outbox, whenReadable)
        speed = SpeedWatch(request, at: outbox.now)
        let source = try UploadSource(order, of: request.transfer, streams, whenReadable: whenReadable)
        self.source = source
        self.folders = folders
        target = request.url
        if request.url.scheme == .sftp {
            let access = try SSHAccess(request.url, request.settings.value, sshHome, at: outbox.now)
            ssh = access
            target = access.target.url
        }
    }

    /// What the dialogue waits for; the handle is not needed meanwhile.
    enum Pause {
        case time(Moment)
        case ledger
        /// The folder that another upload is making.
        case folder
        /// The end of the stream, whose size the server must know.
        case stream
    }

    enum Ending {
        case again(EasyRequest)
        case pausing
        case finished(size: Int64)
        case failed(TransferFailure, kept: ResumePoint?)
    }

    /// - Returns: the first request.
    func begin() -> Ending {
        if let kept = request.resume?.upload, !kept.name.isEmpty, kept.source == source.version, source.version != nil {
            place = kept
        }
        let have = place == nil ? ByteCount.zero : request.resume?.have ?? .zero
        let needsSize = source.isSpooling || source.size == nil && order.httpProtocol != .plain && isHTTP
        dialogue = needsSize ? nil : makeDialogue()
        // Kept from the start: the program may be killed, and a cancelled upload has something to remove.
        if place == nil { place = dialogue?.firstPlace }
        if let kept = request.resume?.upload, kept != place, kept.name != place?.name { stale = kept }
        reported = have.bytes
        // Of a temporary file that the ledger does not know nothing would be left but the file itself after a crash.
        let isHeld = !isHTTP && place != nil && place != request.resume?.upload
        report(.placed(point(have: have), isHeld: isHeld))
        if isHeld { return wait(for: .ledger) }
        return needsSize ? spool() : next()
    }

    private func makeDialogue() -> any UploadDialogue {
        let source = source
        if order.folder != nil { return FolderUpload(request, to: target, folders: folders) }
        guard isHTTP else {
            return FTPAndSFTPUpload(
                request, order, to: target, size: source.size, source: source.version, bytes: { source.bytes($0) })
        }
        switch order.httpProtocol {
        case .tus:
            guard let size = source.size else { break }
            return TusUpload(
                request, order, contentType: source.contentType, size: size, source: source.version)
        case .plain: break
        }
        return HTTPUpload(request, order, contentType: source.contentType, size: source.size, folders: folders)
    }

    private func wait(for pause: Pause) -> Ending {
        self.pause = pause
        return .pausing
    }

    /// What it waits for comes with `whenReadable`.
    var isAwaiting: Bool {
        switch pause {
        case .folder?, .stream?: true
        case .time?, .ledger?, nil: false
        }
    }

    /// Goes on when a wait may be over.
    func goOn() -> Ending {
        let before = pause
        pause = nil
        switch before {
        case .time?, .ledger?, .folder?, nil: return next()
        case .stream?: return spool()
        }
    }

    private func next(after answer: UploadAnswer? = nil) -> Ending {
        take(dialogue?.next(after: answer) ?? .failed(.other("the upload was not begun"), place: nil))
    }

    /// Waits for the end of the stream, then begins with a size that is known, and with a body that can be sent again.
    private func spool() -> Ending {
        do throws(TransferFailure) {
            guard try source.spool() else {
                report(.warned(.streamKept))
                return wait(for: .stream)
            }
        } catch {
            return .failed(error, kept: nil)
        }
        dialogue = makeDialogue()
        return next()
    }

    private func take(_ step: UploadStep) -> Ending {
        switch step {
        case .request(let next):
            asked = next
            needsFreshConnection = false
            guard isHTTP, order.isSentOnce, next.body != nil, !isAnnounced else { return again() }
            isAnnounced = true
            report(.placed(point(have: .zero, isUnanswered: true), isHeld: true))
            return wait(for: .ledger)
        case .wait(let span):
            return wait(for: .time(outbox.now + span))
        case .awaitFolder(let folder):
            guard folders.wait(for: folder, whenFree: whenReadable) else { return next() }
            return wait(for: .folder)
        case .hold(let place):
            self.place = place
            takeBack(to: 0, because: .remoteFileGone)
            report(.placed(point(have: .zero), isHeld: true))
            return wait(for: .ledger)
        case .needsSize: return spool()
        case .done:
            let size = source.size ?? given
            source.finish()
            if let reason = ssh?.takeSaveFailure() { report(.warned(.hostKeyNotKept(reason: reason))) }
            if let warning = dialogue?.warning { report(.warned(warning)) }
            noteSent(size)
            noteReplying(size)
            return .finished(size: size)
        case .failed(.httpStatus(let status), let place):
            self.place = place
            guard let asked, asked.url.origin == request.url.origin else {
                return .failed(.httpStatus(status), kept: kept)
            }
            let offers = head.foreignLogins
            return .failed(.status(status, of: asked.url, asked.settings.value, offers: offers), kept: kept)
        case .failed(let failure, let place):
            self.place = place
            return .failed(failure, kept: kept)
        }
    }

    func point(have: ByteCount, isUnanswered: Bool = false) -> ResumePoint {
        var place = place ?? UploadPlace(name: "", source: source.version)
        if isUnanswered { place.isUnanswered = true }
        return ResumePoint(
            upload: place, have: have, total: source.size.map { ByteCount(bytes: $0) },
            name: request.name?.text ?? order.name ?? "")
    }

    /// What the attempt leaves at the server although no other goes on with it: of a stream.
    var leftover: UploadPlace? {
        source.version == nil && speed.isRequested ? firstPlace : nil
    }

    /// Where it goes by FTP and SFTP, which is known before the first request and the same for every attempt at a file.
    var firstPlace: UploadPlace? { dialogue?.firstPlace }

    /// What the next attempt may go on with; `nil`: nothing.
    var kept: ResumePoint? {
        guard place != nil, leftover == nil else { return nil }
        return point(have: ByteCount(bytes: reported ?? 0))
    }

    /// What is left of it when it is stopped.
    var interrupted: ResumePoint? {
        isAnnounced ? point(have: .zero, isUnanswered: speed.isRequested) : kept
    }
}

// MARK: - Requests

extension UploadConnection {
    func failed(_ failure: TransferFailure) -> Ending { .failed(failure, kept: kept) }

    func again() -> Ending {
        guard let asked else { return .failed(.other("no request"), kept: kept) }
        reader = HeadReader()
        answerBody = AnswerBody()
        confirmed = nil
        (isChallenged, mustKeepStream) = (false, false)
        if let range = asked.body, !range.isEmpty {
            guard source.seek(to: range.lowerBound) else {
                return .failed(.notRepeatable("a part of it was sent already"), kept: nil)
            }
            given = range.lowerBound
            takeBack(to: range.lowerBound, because: asked.startsOver)
        }
        return .again(easyRequest(asked))
    }

    private func easyRequest(_ asked: UploadRequest) -> EasyRequest {
        var upload = EasyUpload()
        upload.method = asked.method
        upload.headers = asked.headers
        upload.createsFolders = asked.createsFolders
        upload.isUpToTLS12 = asked.url.scheme.isFTP
        (upload.commandsBefore, upload.commandsAfter) = (asked.commandsBefore, asked.commandsAfter)
        if let range = asked.body {
            upload.hasBody = true
            // libcurl takes from the size what is skipped; a piece of tus is a body of its own.
            let skipped = isHTTP ? range.lowerBound : 0
            upload.bodySize = range.upperBound == .max ? nil : range.upperBound - skipped
        }
        // A kept connection that the server closes may have taken the body before, and libcurl sends it again on another one.
        return EasyRequest(
            url: asked.url, settings: asked.settings, resumeFrom: asked.resumeFrom, isHead: asked.isHead, login: login,
            needsFreshConnection: needsFreshConnection || asked.needsFreshConnection || order.isSentOnce,
            ssh: ssh?.request, upload: upload)
    }

    func end(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        noteSent(sentPosition(easy))
        if let ending = endRefused(code, easy) { return ending }
        if mustKeepStream { return spool() }
        if let failure { return failed(failure) }
        if let ending = endLogin(code, easy) { return ending }
        if head.status == 401, head.offersDigest, let next = login.digest(settings, at: request.url) {
            login = next
            return again()
        }
        // libcurl itself repeats the request only on the same connection, which the server may have closed.
        if head.status == 417, asked?.body != nil, asked?.headers.contains("Expect:") == false {
            asked?.headers.append("Expect:")
            return again()
        }
        return next(after: answer(code, easy))
    }

    private func answer(_ code: CurlCode, _ easy: EasyHandle) -> UploadAnswer {
        var answer = UploadAnswer(code: code, head: head, body: answerBody.bytes, url: asked?.url ?? request.url)
        answer.given = given
        if !isHTTP { answer.reply = Int(max(0, easy.fact(WINCH_RESPONSE_CODE))) }
        (answer.freeBlocks, answer.refusal) = (reader.freeBlocks, reader.refusal)
        if let range = asked?.body {
            answer.isSent = range.upperBound == .max ? source.isAtEnd : given >= range.upperBound
        }
        let length = easy.fact(WINCH_CONTENT_LENGTH)
        if code == .ok, length >= 0 { answer.size = length }
        // A server that refuses a body early may close the connection while the rest of it is on its way.
        let isAnswered = isHTTP && reader.isWhole && (head.status >= 300 || answerBody.isRefused)
        if code != .ok, !isAnswered { answer.failure = curlFailure(code, easy) }
        if answer.failure == nil, isHTTP, let fault = head.framingFault { answer.failure = .badResponse(fault) }
        return answer
    }

    /// An interim status is no part of the failure, as it is of a download's: 100 only asks for the body, and a connection that
    /// ends afterwards is lost.
    private func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        if let busyReply = reader.busyReply { return .serverBusy(reply: busyReply) }
        if code == .ssh, let ssh, asked?.body == nil || ssh.isCut(easy.words(for: code)) {
            return .connectionLost(easy.words(for: code))
        }
        var failure = curlFailure(code, of: easy)
        failure.path = PercentCoding.decoded(url(of: easy).pathText)
        return failure.transferFailure
    }
}
