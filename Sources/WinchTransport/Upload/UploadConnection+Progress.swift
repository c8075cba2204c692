import CTransport
import WinchModel

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
        if let size = source.size, position == size, given == size, !order.isTus, isHTTP { noteReplying(size) }
        if source.isAwaited { speed.noteWaiting(at: outbox.now) }
        return failure ?? speed.failure(at: outbox.now, isReceiving: false)
    }

    /// Reports what has left the machine, before the connection is closed.
    func flush() {
        if let easy { noteSent(sentPosition(easy)) }
    }
}
