import Glibc

/// Ports of 127.0.0.1, for servers of the tests' own.
package enum LocalPort {
    /// Below the ports that the kernel gives to outgoing connections and to listeners that ask for any port: none of those takes it
    /// before the server that it is meant for, or while that server starts again.
    private static let range = 20_000..<32_000

    /// A port that is free now.
    package static func free() throws -> Int {
        for port in range.shuffled().prefix(1000) where isFree(port) { return port }
        throw NoPort()
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A server listens there.
    package static func connects(to port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
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
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private struct NoPort: Error {}
}
