import CTransport
import WinchModel

/// Bytes that no request asked for: a connection that has any is not used again, and they are never an answer.
extension EasyHandle {
    /// Why a request did not go out.
    enum Refusal {
        /// A kept connection held bytes, or had ended: the request belongs on another one.
        case keptConnection
        /// The server sent bytes on a new connection before it was asked.
        case newConnection
    }

    /// Called when libcurl has chosen the connection, just before it sends the request.
    ///
    /// - Returns: false when the connection must not be used; it is closed then.
    func mayRequest(local: Int32, remote: Int32) -> Bool {
        // An answer before this one, in the same transfer, was a redirect or asked for a login.
        endWatch()
        leaveSocket()
        let standing = loop.sockets.beginRequest(local: local, remote: remote, to: server)
        socket = standing?.socket
        guard let standing, scheme != .sftp else { return true }
        let tls = tlsConnection
        // Frames of HTTP/2 may come at any time, and each names the request that it answers.
        if let tls, winch_tls_is_http2(tls) { return true }
        // A new connection of TLS holds session tickets, and one of FTP its greeting.
        let mayHoldMore = standing.isFresh && (tls != nil || scheme == .ftp)
        guard standing.isReadable && !mayHoldMore || winch_tls_has_pending(tls) else { return true }
        refusal = standing.isFresh ? .newConnection : .keptConnection
        return false
    }

    /// Called at the end of a head. Behind bodies in chunks, empty ones and those of redirects libcurl 7.88 may read bytes,
    /// drop them, and keep the connection.
    ///
    /// - Parameter bodyLength: as declared; `nil`: libcurl finds the end of the body by itself.
    func watchForExcess(bodyLength: Int64?) {
        bodyLeft = bodyLength
        isWatching = true
        winch_easy_set_number(raw, WINCH_VERBOSE, 1)
    }

    /// Takes libcurl's log: all of it for an SSH connection, else only while the end of a body is watched.
    func take(told kind: Int, _ bytes: UnsafeRawBufferPointer) {
        if scheme == .sftp, kind == WINCH_TOLD_TEXT {
            receiver?.receivedLogLine(String(decoding: bytes, as: UTF8.self))
        }
        guard isWatching else { return }
        if kind == WINCH_TOLD_BODY, let left = bodyLeft {
            bodyLeft = left - Int64(bytes.count)
            if left < Int64(bytes.count) { closeAfterAnswer() }
        } else if kind == WINCH_TOLD_TEXT, Self.excessWords.contains(where: { bytes.starts(with: $0.utf8) }) {
            closeAfterAnswer()
        }
    }

    /// How a line of libcurl 7.88's log begins when there were bytes behind a body; later versions close the connection
    /// themselves.
    private static let excessWords = ["Excess found", "Leftovers after chunking"]

    private func closeAfterAnswer() { winch_easy_set_number(raw, WINCH_FORBID_REUSE, 1) }

    func endWatch() {
        guard isWatching else { return }
        isWatching = false
        winch_easy_set_number(raw, WINCH_VERBOSE, 0)
        winch_easy_set_number(raw, WINCH_FORBID_REUSE, 0)
    }
}
