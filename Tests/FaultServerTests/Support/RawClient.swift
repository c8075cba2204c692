import FaultServer
import Glibc

/// A client that returns exactly the bytes it has received, valid HTTP or not.
final class RawClient {
    enum Ending: Equatable, Sendable { case open, closed, reset }

    struct ConnectionFailure: Error { let code: Int32 }

    private let socket: Int32

    /// - Parameter receiveBuffer: bytes the kernel may hold for a client that does not read.
    init(_ server: FaultServer, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(server.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw ConnectionFailure(code: errno) }
    }

    deinit { close(socket) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a request for a URL of the server.
    func request(_ url: String, method: String = "GET", _ headers: String...) {
        let target = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? ""
        let lines = ["\(method) /\(target) HTTP/1.1", "Host: test"] + headers
        send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Reads until the server ends the connection, or sends nothing for five seconds.
    func readAll() -> (bytes: [UInt8], ending: Ending) {
        var result: [UInt8] = []
        while true {
            switch read() {
            case .success(let bytes) where bytes.isEmpty: return (result, .closed)
            case .success(let bytes): result += bytes
            case .failure(let ending): return (result, ending.ending)
            }
        }
    }

    /// One response by its Content-Length, or up to the end of the connection when it names none.
    func readResponse(toHead: Bool = false) -> Response? {
        var bytes: [UInt8] = []
        var response: Response?
        while response.map({ $0.isIncomplete(toHead: toHead) }) ?? true {
            guard case .success(let more) = read(), !more.isEmpty else { break }
            bytes += more
            response = Response(bytes)
        }
        return response
    }

    private struct Interruption: Error { let ending: Ending }

    private func read() -> Result<ArraySlice<UInt8>, Interruption> {
        var waiter = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiter, 1, 5000) > 0 else {
            return .failure(Interruption(ending: .open))
        }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count < 0 ? .failure(Interruption(ending: .reset)) : .success(buffer[..<count])
    }
}

/// A response cut into head and body, header values as bytes.
struct Response: Equatable, Sendable {
    let status: Int
    let headers: [String: [UInt8]]
    let body: [UInt8]

    /// - Returns: `nil` while the head is not complete.
    init?(_ bytes: [UInt8]) {
        let end: [UInt8] = Array("\r\n\r\n".utf8)
        let starts = bytes.indices.dropLast(3)
        guard let split = starts.first(where: { bytes[$0..<$0 + 4].elementsEqual(end) }) else { return nil }
        var lines = bytes[..<split].split(separator: UInt8(ascii: "\n"))[...]
        let words = lines.popFirst()?.split(separator: UInt8(ascii: " ")) ?? []
        guard words.count > 1, let status = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        self.status = status
        var headers: [String: [UInt8]] = [:]
        for line in lines {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            let value = (parts.last ?? []).drop(while: { $0 == UInt8(ascii: " ") })
            headers[String(decoding: parts.first ?? [], as: UTF8.self).lowercased()] =
                Array(value.last == UInt8(ascii: "\r") ? value.dropLast() : value)
        }
        self.headers = headers
        self.body = Array(bytes[(split + 4)...])
    }

    subscript(name: String) -> String? { headers[name.lowercased()].map { String(decoding: $0, as: UTF8.self) } }

    func isIncomplete(toHead: Bool) -> Bool {
        if toHead || status == 304 { return false }
        guard let length = self["Content-Length"].flatMap(Int.init) else { return true }
        return body.count < length
    }
}
