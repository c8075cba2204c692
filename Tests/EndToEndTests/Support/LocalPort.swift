import FaultSuite
import Glibc

/// Ports of 127.0.0.1, for servers of the tests' own.
enum LocalPort {
    static func free() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Missing(what: "a free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    static func connects(to port: Int) -> Bool {
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

    /// Returns when a server listens there.
    ///
    /// - Parameter complaint: the output of a server that has not started.
    static func wait(
        for port: Int, _ server: Child, _ name: String, complaint: () throws -> String = { "" }
    ) async throws {
        for _ in 0..<500 {
            if connects(to: port) { return }
            guard server.ending() == nil else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Missing(what: "\(name) to start: \((try? complaint()) ?? "")")
    }
}
