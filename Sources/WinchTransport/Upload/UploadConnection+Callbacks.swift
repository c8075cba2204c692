import CTransport
import WinchHTTP
import WinchModel

/// What libcurl asks and tells while a request of an upload is under way.
extension UploadConnection {
    func give(into room: UnsafeMutableRawBufferPointer) -> BodyPiece {
        guard let range = asked?.body, failure == nil else { return .refused }
        guard !mayBeSentInVain else {
            mustKeepStream = true
            return .refused
        }
        let left = range.upperBound - given
        guard left > 0 else { return .given(0) }
        let most = min(Int64(room.count), left, speed.largestPiece)
        guard speed.mayMove(most, at: outbox.now) else { return .notYet }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(most)))
        switch source.read(at: given, before: range.upperBound, into: wanted) {
        case .bytes(let count):
            given += Int64(count)
            speed.take(sent: count)
            if given == range.upperBound { awaitLastReply() }
            return .given(count)
        case .notYet: return .notYet
        case .end:
            awaitLastReply()
            return .given(0)
        case .failed(let reason):
            failure = reason
            return .refused
        }
    }

    private func awaitLastReply() {
        guard request.url.scheme.isFTP, let easy else { return }
        let unsent = easy.newestSocket.map { max(0, Int(winch_socket_unsent($0))) } ?? 0
        easy.awaitReply(seconds: LastReplyWait.seconds(unsent: unsent, isStream: source.size == nil))
    }

    /// In clear text the login is sent only once the server has asked for it. Some servers, and proxies that read the whole body
    /// first, ask after the body: a stream that is not kept could not be sent again.
    private var mayBeSentInVain: Bool {
        guard let asked, asked.url.scheme == .http, !isChallenged, !source.isRepeatable else { return false }
        return asked.settings.value.hasUser(at: asked.url)
    }

    /// Goes to a position of the body, counted from the start of the source.
    ///
    /// - Returns: false when the bytes cannot be had again.
    func seek(to position: Int64) -> Bool {
        guard let asked, let range = asked.body else { return false }
        // libcurl would repeat what a kept connection has not answered. A request that must not be made twice is for the queue to
        // decide on, and a part is sent again only from where a server of tus then stands.
        let mayBeRepeated = !order.isSentOnce && asked.method != "PATCH"
        guard mayBeRepeated || given == range.lowerBound || reader.head.status > 0 else { return false }
        let isWhole = !isHTTP
        let start = isWhole ? position : range.lowerBound + position
        guard source.seek(to: start) else {
            failure = .notRepeatable("a part of it was sent already")
            return false
        }
        given = start
        takeBack(to: min(start, reported ?? start))
        return true
    }

    func refuseHead() { if isHTTP { failure = .badResponse("response headers are too long") } }

    func takeHead() -> Bool {
        if head.status == 401 { isChallenged = true }
        if head.status == 104, let offset = head.uploadOffset { confirmed = (offset, outbox.now) }
        if head.status >= 200 {
            if head.status != 401 { reportConnection() }
            easy?.watchForExcess(bodyLength: asked?.isHead == true ? 0 : head.bodyLength)
        }
        return true
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        speed.take(head: bytes.count)
        // The bytes of a file that are compared may be followed by the rest of it.
        return answerBody.take(bytes, wanted: asked?.wanted ?? 0) || !isHTTP ? .taken : .refused
    }

    var reply: ServerReply? {
        guard isHTTP, head.status > 0 else { return nil }
        let location = head.location.map { TransferURL.redacted($0) }
        return ServerReply(
            status: head.status, location: location,
            text: String(decoding: answerBody.bytes.prefix(ServerReply.longest), as: UTF8.self),
            isCut: answerBody.isCut)
    }
}

/// How long an FTP server may take to confirm an upload of which it was given the whole.
///
/// The reply never comes where a NAT has dropped the idle control connection. libcurl blocks the whole thread meanwhile, for a
/// minute if it is not told otherwise; what the server has is then asked by a new connection.
enum LastReplyWait {
    /// 20 s: a server that reads slowly has some of the bytes in its socket still, or copies the file. 60 s is libcurl's own bound.
    private static let (shortest, longest) = (20, 60)
    /// 64 KiB a second: so fast a slow line takes what is in the socket of this machine.
    private static let slowestDrain = 64 << 10

    /// - Parameters:
    ///   - unsent: bytes in the socket of this machine.
    ///   - isStream: the source can be read only once. What the server has cannot be compared with it, and an upload given up too
    ///     early fails for good: the longest wait.
    static func seconds(unsent: Int, isStream: Bool) -> Int {
        isStream ? longest : min(longest, shortest + unsent / slowestDrain)
    }
}

/// What an upload reports of its bytes.
extension UploadConnection {
    /// How long the server's own count holds.
    private static let confirmedSpan = Duration.seconds(2)

    /// The position in the source up to which bytes have left this machine: those that libcurl gave to the system, less those
    /// that are still in the socket. A server that counts along (status 104, draft-ietf-httpbis-resumable-upload) knows better.
    func sentPosition(_ easy: EasyHandle) -> Int64 {
        guard let asked, let range = asked.body, !range.isEmpty else { return reported ?? 0 }
        if let confirmed, outbox.now - confirmed.at < Self.confirmedSpan {
            return max(range.lowerBound, min(given, confirmed.position))
        }
        let passed = max(0, easy.fact(WINCH_SENT))
        let socket = isHTTP || request.url.scheme == .sftp ? easy.socket?.descriptor : easy.newestSocket
        let unsent = socket.map { max(0, Int64(winch_socket_unsent($0))) } ?? 0
        return max(range.lowerBound, min(given, range.lowerBound + passed - unsent))
    }

    func noteSent(_ position: Int64) {
        guard asked?.body?.isEmpty == false || position > reported ?? 0, position > reported ?? -1 else { return }
        reported = position
        report(.sent(ByteCount(bytes: position), of: source.size.map { ByteCount(bytes: $0) }))
    }

    func takeBack(to position: Int64, because cause: Rebase.Cause = .sentAgain) {
        isReplying = false
        guard let reported, position != reported else { return }
        self.reported = position
        report(
            position < reported
                ? .unsent(downTo: ByteCount(bytes: position), because: cause)
                : .placed(point(have: ByteCount(bytes: position)), isHeld: false))
    }

    func noteReplying(_ size: Int64) {
        guard !isReplying else { return }
        isReplying = true
        report(.bodyEnded(size: ByteCount(bytes: size)))
    }

    /// Ten times a second.
    ///
    /// - Returns: why the connection ends.
    func check() -> TransferFailure? {
        guard let easy else {
            if isAwaiting { speed.noteWaiting(at: outbox.now) }
            return speed.failure(at: outbox.now, isReceiving: false)
        }
        let position = sentPosition(easy)
        if position > reported ?? 0 { speed.noteSent(position - (reported ?? 0)) }
        noteSent(position)
        if let size = source.size, position == size, given == size, order.httpProtocol == .plain, isHTTP {
            noteReplying(size)
        }
        if source.isAwaited { speed.noteWaiting(at: outbox.now) }
        return failure ?? speed.failure(at: outbox.now, isReceiving: false)
    }

    /// Reports what has left the machine, before the connection is closed.
    func flush() {
        if let easy { noteSent(sentPosition(easy)) }
    }
}

/// The body of a server's answer to an upload, as far as it is kept.
struct AnswerBody {
    /// The first bytes.
    private(set) var bytes: [UInt8] = []
    private var arrived = 0
    /// The server sent so many that the rest was not read.
    private(set) var isRefused = false

    /// Bytes that are read although they are not kept, so that the connection can be used again.
    private static let mostDropped = 1 << 20

    var isCut: Bool { isRefused || arrived > bytes.count }

    /// - Parameter wanted: bytes that are kept, at most.
    /// - Returns: false when no more is read.
    mutating func take(_ piece: UnsafeRawBufferPointer, wanted: Int) -> Bool {
        bytes += piece.prefix(max(0, wanted - bytes.count))
        arrived += piece.count
        isRefused = arrived > Self.mostDropped + wanted
        return !isRefused
    }
}
