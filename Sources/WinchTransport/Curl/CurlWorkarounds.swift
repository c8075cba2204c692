import CTransport
import Glibc
import WinchModel

/// Bytes that no request asked for: a connection that has any is not used again, and they are never an answer.
extension EasyHandle {
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
        guard !standing.mayTakeRequest(over: winch_easy_encryption(raw), isFTP: scheme == .ftp) else { return true }
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
            receiver?.ssh?.receivedLogLine(String(decoding: bytes, as: UTF8.self))
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

    /// Bytes wait behind the last that libcurl reads of a file by FTP: it stops at the size that the server named, whatever follows.
    /// What has not arrived yet cannot be seen, nor, with any library, what TLS encrypts: such a file is complete with the size that
    /// the server named.
    var hasMoreToRead: Bool {
        guard scheme == .ftp, winch_easy_encryption(raw) == WINCH_ENCRYPTION_NONE, let newestSocket else {
            return false
        }
        var byte: UInt8 = 0
        return recv(newestSocket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    private func closeAfterAnswer() { winch_easy_set_number(raw, WINCH_FORBID_REUSE, 1) }

    func endWatch() {
        guard isWatching else { return }
        isWatching = false
        winch_easy_set_number(raw, WINCH_VERBOSE, 0)
        winch_easy_set_number(raw, WINCH_FORBID_REUSE, 0)
    }
}

/// The sockets of the loop's connections, with what may be read from them before a request goes out. The loop's
/// thread only.
///
/// libcurl 7.88 takes bytes that a server sent before a request for the answer to that request: one file on a server
/// could bring a forged answer for the next. libcurl's callback before the request names the connection by its ports
/// only, so the sockets are listed here.
final class OpenSockets {
    let listener = UnsafeMutablePointer<winch_socket_listener>.allocate(capacity: 1)
    private var sockets: [Int32: Entry] = [:]

    final class Entry {
        let descriptor: Int32
        /// `nil` until the socket is connected.
        fileprivate var ports: Ports?
        fileprivate var isUsed = false
        /// The server of the transfer that used it last, as in `TransferURL.server`.
        fileprivate var server: String?
        /// Handles whose last request went out on it.
        var users = 0
        /// The size that was set; `nil`: the system's, which grows.
        private var receiveBuffer: Int32?

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Bounds what the system takes from the server for a transfer with a limit. The buffer would grow to 500 KB while
        /// libcurl reads no faster than the limit, and the server would send so much more than it allows.
        ///
        /// - Parameter rate: the limit; `nil`, or one that needs more: the buffer grows again.
        func setReceiveBuffer(for rate: ByteRate?) {
            let size = rate.flatMap { Self.size(for: $0) }
            // A set buffer stays as it is until it is unlocked. Before Linux 5.14 that is impossible, and a transfer whose limit is
            // removed would stay slow: there none is set.
            guard size != receiveBuffer, set(Self.bufferLocks, 0) else { return }
            receiveBuffer = size
            _ = set(SO_RCVBUF, size ?? Self.growing)
            if size == nil { _ = set(Self.bufferLocks, 0) }
        }

        /// The bytes of a second, so that the limit is reached over all but the longest ways.
        private static func size(for rate: ByteRate) -> Int32? {
            rate.perSecond < largestRate ? Int32(max(least, rate.perSecond)) : nil
        }

        /// 200 KiB/s: the system sets no more than 208 KiB (`net.core.rmem_max`), and what comes too early is small beside faster limits.
        private static let largestRate = 200.0 * 1024
        /// 64 KiB: the system begins with it, and the server may have been told of it.
        private static let least = 64.0 * 1024
        /// 208 KiB, more than any that is set: the system lets a buffer grow only if the server can send more than it did.
        private static let growing: Int32 = 208 << 10
        /// SO_BUF_LOCK, which the C library's headers may lack.
        private static let bufferLocks: Int32 = 72

        private func set(_ option: Int32, _ value: Int32) -> Bool {
            var value = value
            return setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
        }
    }

    fileprivate struct Ports: Equatable {
        var local: Int32
        var remote: Int32
    }

    /// A connection just before a request goes out on it.
    struct Standing {
        /// No request went out on it before.
        var isFresh = false
        /// There are bytes that no request asked for, or the other end has closed it.
        var isReadable = false
        /// The handle is one of its users now.
        var socket: Entry

        /// False when there are bytes that may be taken for the answer.
        ///
        /// With a library of TLS that is neither OpenSSL nor GnuTLS, bytes that it has decrypted are not seen, and a frame of HTTP/2
        /// may cost a new connection.
        func mayTakeRequest(over encryption: winch_encryption, isFTP: Bool) -> Bool {
            switch encryption {
            // Frames of HTTP/2 may come at any time, and each names the request that it answers.
            case WINCH_ENCRYPTION_HTTP2: true
            case WINCH_ENCRYPTION_PENDING: false
            // A new connection of TLS holds session tickets, and one of FTP its greeting.
            case WINCH_ENCRYPTION_IDLE: isFresh || !isReadable
            default: isFresh && isFTP || !isReadable
            }
        }
    }

    init() {
        listener.initialize(
            to: winch_socket_listener(
                opened: { context, socket in OpenSockets.of(context)?.opened(socket) },
                closed: { context, socket in OpenSockets.of(context)?.sockets[socket] = nil },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { listener.deallocate() }

    func opened(_ socket: Int32) { sockets[socket] = Entry(socket) }

    func entry(of socket: Int32) -> Entry? { sockets[socket] }

    /// Notes that a request is about to go out on the connection between these ports.
    ///
    /// - Parameter server: of the transfer.
    /// - Returns: `nil` when no socket has them.
    func beginRequest(local: Int32, remote: Int32, to server: String) -> Standing? {
        let ports = Ports(local: local, remote: remote)
        var standing: Standing?
        for (socket, entry) in sockets {
            let isNew = entry.ports == nil
            if isNew { entry.ports = Self.ports(of: socket) }
            let isChosen = entry.ports == ports
            if isChosen {
                // Two connections share ports only when they lead to different hosts; both must be clean then.
                standing = Standing(
                    isFresh: !entry.isUsed, isReadable: standing?.isReadable ?? false || Self.isReadable(socket),
                    socket: entry)
                (entry.isUsed, entry.server) = (true, server)
                // An earlier transfer may have had a limit, or one on the same connection of HTTP/2.
                entry.setReceiveBuffer(for: nil)
            }
        }
        standing?.socket.users += 1
        return standing
    }

    /// Closes one of the connections to a server that no transfer uses: the server is told at once, and libcurl gives up the
    /// socket when it looks for a connection the next time.
    func closeKept(to server: String) {
        let kept = sockets.first { $1.server == server && $1.isUsed && $1.users == 0 }
        guard let (socket, entry) = kept else { return }
        entry.server = nil
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private static func isReadable(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
    }

    private static func ports(of socket: Int32) -> Ports? {
        guard let local = port(socket, getsockname), let remote = port(socket, getpeername) else { return nil }
        return Ports(local: local, remote: remote)
    }

    private static func port(
        _ socket: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(socket, $0, &length) }
        }
        let families = [AF_INET, AF_INET6].map { sa_family_t($0) }
        guard code == 0, families.contains(address.sin6_family) else { return nil }
        // The port of IPv4 stands in the same place.
        return Int32(UInt16(bigEndian: address.sin6_port))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> OpenSockets? {
        context.map { Unmanaged<OpenSockets>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// TLS connections that were closed by a close_notify alert in this turn of the loop. Used on the loop's thread only.
///
/// A body that ends with its connection is complete only if the connection was closed by TLS: an attacker on the way
/// could cut it off anywhere.
///
/// - Source: RFC 9112, section 9.8.
final class TLSCloseNotices {
    let listener = UnsafeMutablePointer<winch_tls_listener>.allocate(capacity: 1)
    private var ended: Set<UnsafeRawPointer> = []

    init() {
        listener.initialize(
            to: winch_tls_listener(
                ended: { context, connection in
                    guard let context, let connection else { return }
                    Unmanaged<TLSCloseNotices>.fromOpaque(context).takeUnretainedValue().ended.insert(connection)
                },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { listener.deallocate() }

    func contains(_ connection: UnsafeRawPointer) -> Bool { ended.contains(connection) }

    /// A new turn: addresses of connections are used again.
    func forget() { if !ended.isEmpty { ended = [] } }
}
