import Glibc

/// A port of 127.0.0.1 that belongs to a test for as long as this object lives, for a server that cannot be asked which port it took.
///
/// The kernel has chosen it for a socket that is bound and never listens. With SO_REUSEADDR on both sockets Linux lets a server
/// bind the same port, again after each restart, while no other socket that asks for any port is given it. Until a server
/// listens, connections to it are refused.
package final class HeldPort: Sendable {
    package let number: Int
    private let socket: Int32

    package init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        number = Int(in_port_t(bigEndian: address.sin_port))
        guard isBound else {
            close(socket)
            throw NoPort()
        }
    }

    deinit { close(socket) }

    /// Whether a server listens there.
    package var connects: Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = Self.loopback(number)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return address
    }

    private struct NoPort: Error {}
}
