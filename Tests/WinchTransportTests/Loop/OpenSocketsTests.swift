import CTransport
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The list of open sockets` {
    /// Two ends of one connection.
    private func pair() throws -> (near: Int32, far: Int32, ports: (local: Int32, remote: Int32)) {
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
        try require(isConnected)
        return (near, accept(own.socket, nil, nil), (Int32(UInt16(bigEndian: address.sin_port)), Int32(own.port)))
    }

    @Test func `distinguishes new connections from used ones, and those with pending bytes`() throws {
        let sockets = OpenSockets()
        let (near, far, ports) = try pair()
        defer { close(far) }
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
        func standing() -> (isFresh: Bool, isReadable: Bool)? {
            sockets.beginRequest(local: ports.local, remote: ports.remote, to: "a").map { ($0.isFresh, $0.isReadable) }
        }
        try expect(require(standing()) == (true, false))
        try expect(require(standing()) == (false, false))
        expectNil(sockets.beginRequest(local: ports.local, remote: 1, to: "a"))
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
        listener.closed(listener.context, near)
        close(near)
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
        let sockets = OpenSockets()
        let (near, far, ports) = try pair()
        defer {
            close(far)
            close(near)
        }
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
        var standing = try require(sockets.beginRequest(local: ports.local, remote: ports.remote, to: "a"))
        for (index, mayTake) in expected.enumerated() {
            (standing.isFresh, standing.isReadable) = (index < 2, index % 2 == 1)
            expectEqual(standing.mayTakeRequest(over: encryption, isFTP: isFTP), mayTake)
        }
    }

    /// The size of a buffer that a limit does not bound is the system's.
    @Test(arguments: [(20_000.0, 65_536), (100_000.0, 100_000), (1e6, nil)] as [(Double, Int32?)])
    func `bounds a receive buffer for a limit until the next request`(perSecond: Double, size: Int32?) throws {
        let sockets = OpenSockets()
        let (near, far, ports) = try pair()
        defer {
            close(far)
            close(near)
        }
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
        func option(_ name: Int32) -> Int32 {
            var (value, length): (Int32, socklen_t) = (-1, socklen_t(MemoryLayout<Int32>.size))
            getsockopt(near, SOL_SOCKET, name, &value, &length)
            return value
        }
        // SO_BUF_LOCK: 2 when the system does not resize the receive buffer.
        let isLocked = { option(72) & 2 != 0 }
        let socket = try require(sockets.beginRequest(local: ports.local, remote: ports.remote, to: "a")).socket
        expect(!isLocked())
        socket.setReceiveBuffer(for: ByteRate(perSecond: perSecond))
        expectEqual(isLocked(), (size != nil))
        // The system doubles what is set.
        if let size { expectEqual(option(SO_RCVBUF), 2 * size) }
        _ = sockets.beginRequest(local: ports.local, remote: ports.remote, to: "a")
        expect(!isLocked())
    }

    @Test func `closes a connection to a server only when no transfer uses it`() throws {
        let sockets = OpenSockets()
        let (near, far, ports) = try pair()
        defer {
            close(far)
            close(near)
        }
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
        func isClosed() -> Bool {
            var waiter = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
            return poll(&waiter, 1, 100) == 1
        }
        sockets.closeKept(to: "a")
        expect(!isClosed())
        let socket = try require(sockets.beginRequest(local: ports.local, remote: ports.remote, to: "a")).socket
        sockets.closeKept(to: "a")
        expect(!isClosed())
        socket.users -= 1
        sockets.closeKept(to: "b")
        expect(!isClosed())
        sockets.closeKept(to: "a")
        expect(isClosed())
    }
}
