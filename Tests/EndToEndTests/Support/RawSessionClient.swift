import Foundation
import Glibc

/// A client of a session that sends any bytes.
final class RawSessionClient {
    private let socket: Int32
    private var received: [UInt8] = []

    /// - Parameter path: of the session's socket, at most 107 bytes.
    /// - Throws: `Missing` when it cannot connect.
    init(_ path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw Missing(what: "a connection to \(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(socket) }

    /// - Returns: false when the session has closed the connection.
    @discardableResult func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(
                socket, Array(bytes[sent...].prefix(1 << 20)), min(bytes.count - sent, 1 << 20), Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult func send(_ line: String) -> Bool { send(Array((line + "\n").utf8)) }

    func introduce() { send("{\"hello\":1,\"client\":\"raw\"}") }

    /// Nothing more is sent.
    func endInput() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads until the text has come, the connection has ended, or the time is over.
    ///
    /// - Returns: all that has come.
    func read(until text: String? = nil, seconds: Double = 60) -> String {
        let deadline = Date.now.addingTimeInterval(seconds)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while Date.now < deadline {
            if let text, String(decoding: received, as: UTF8.self).contains(text) { break }
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return String(decoding: received, as: UTF8.self)
    }
}
