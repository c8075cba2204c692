import CTransport
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// A connection that is in the list, and its other end. Both are closed with it.
private final class ListedConnection {
    let sockets = OpenSockets()
    let near, far: Int32
    private let ports: (local: Int32, remote: Int32)

    init() throws {
        let own = try LoopbackListener()
        defer { close(own.socket) }
        let near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = own.port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(near, address, length) == 0 && getsockname(near, address, &length) == 0
            }
        }
        (self.near, far) = (near, accept(own.socket, nil, nil))
        ports = (Int32(UInt16(bigEndian: address.sin_port)), Int32(own.port))
        try require(isConnected)
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
    }

    deinit {
        close(far)
        close(near)
    }

    /// - Parameter remote: the port at the other end; `nil`: the right one.
    func beginRequest(remote: Int32? = nil) -> OpenSockets.Standing? {
        sockets.beginRequest(local: ports.local, remote: remote ?? ports.remote, to: "a")
    }
}

@Suite struct `The list of open sockets` {
    @Test func `distinguishes new connections from used ones, and those with pending bytes`() throws {
        let connection = try ListedConnection()
        let (near, far) = (connection.near, connection.far)
        func standing() -> (isFresh: Bool, isReadable: Bool)? {
            connection.beginRequest().map { ($0.isFresh, $0.isReadable) }
        }
        try expect(require(standing()) == (true, false))
        try expect(require(standing()) == (false, false))
        expectNil(connection.beginRequest(remote: 1))
        send(far, "x", 1, 0)
        var waiter = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&waiter, 1, 10_000), 1)
        try expect(require(standing()) == (false, true))
        // The byte can still be read.
        var byte: UInt8 = 0
        expectEqual(recv(near, &byte, 1, 0), 1)
        expectEqual(standing()?.isReadable, false)
        shutdown(far, Int32(SHUT_WR))
        expectEqual(poll(&waiter, 1, 10_000), 1)
        expectEqual(standing()?.isReadable, true)
        let listener = connection.sockets.listener.pointee
        listener.closed(listener.context, near)
        expectNil(standing())
    }

    /// In the order: new and silent, new with bytes, used and silent, used with bytes.
    @Test(
        arguments: [
            (WINCH_ENCRYPTION_NONE, false, [true, false, true, false]),
            (WINCH_ENCRYPTION_NONE, true, [true, true, true, false]),
            (WINCH_ENCRYPTION_HTTP2, false, [true, true, true, true]),
            (WINCH_ENCRYPTION_PENDING, false, [false, false, false, false]),
            (WINCH_ENCRYPTION_IDLE, false, [true, true, true, false]),
        ] as [(winch_encryption, Bool, [Bool])])
    func `lets a request out only where no bytes could be taken for its answer`(
        encryption: winch_encryption, isFTP: Bool, expected: [Bool]
    ) throws {
        let connection = try ListedConnection()
        var standing = try require(connection.beginRequest())
        for (index, mayTake) in expected.enumerated() {
            (standing.isFresh, standing.isReadable) = (index < 2, index % 2 == 1)
            expectEqual(standing.mayTakeRequest(over: encryption, isFTP: isFTP), mayTake)
        }
    }

    /// The size of a buffer that a limit does not bound is the system's.
    @Test(arguments: [(20_000.0, 65_536), (100_000.0, 100_000), (1e6, nil)] as [(Double, Int32?)])
    func `bounds a receive buffer for a limit until the next request`(perSecond: Double, size: Int32?) throws {
        let connection = try ListedConnection()
        func option(_ name: Int32) -> Int32 {
            var (value, length): (Int32, socklen_t) = (-1, socklen_t(MemoryLayout<Int32>.size))
            getsockopt(connection.near, SOL_SOCKET, name, &value, &length)
            return value
        }
        // SO_BUF_LOCK: 2 when the system does not resize the receive buffer.
        let isLocked = { option(72) & 2 != 0 }
        let socket = try require(connection.beginRequest()).socket
        expect(!isLocked())
        socket.setReceiveBuffer(for: ByteRate(perSecond: perSecond))
        expectEqual(isLocked(), (size != nil))
        // The system doubles what is set.
        if let size { expectEqual(option(SO_RCVBUF), 2 * size) }
        _ = connection.beginRequest()
        expect(!isLocked())
    }

    @Test func `closes a connection to a server only when no transfer uses it`() throws {
        let connection = try ListedConnection()
        func isClosed() -> Bool {
            var waiter = pollfd(fd: connection.far, events: Int16(POLLIN), revents: 0)
            return poll(&waiter, 1, 100) == 1
        }
        connection.sockets.closeKept(to: "a")
        expect(!isClosed())
        let socket = try require(connection.beginRequest()).socket
        connection.sockets.closeKept(to: "a")
        expect(!isClosed())
        socket.users -= 1
        connection.sockets.closeKept(to: "b")
        expect(!isClosed())
        connection.sockets.closeKept(to: "a")
        expect(isClosed())
    }
}
