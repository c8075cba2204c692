import CTransport
import Glibc

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
        /// A request went out on it.
        fileprivate var isUsed = false
        /// The server of the transfer that used it last, as in `TransferURL.server`.
        fileprivate var server: String?
        /// Handles whose last request went out on it.
        var users = 0

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
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
