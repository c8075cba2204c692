import Glibc

/// Reads the requests of one connection: a head whole, a body piece by piece.
struct RequestReader {
    /// The bytes are no HTTP/1 request.
    struct Malformed: Error {}

    private enum Framing {
        case length(Int64)
        /// Bytes left of the current chunk; `nil` before its size line.
        case chunk(Int64?)
        case trailer
        case ended
    }

    private let socket: ConnectionSocket
    /// Received and not yet taken.
    private var buffer: ArraySlice<UInt8> = []
    private var framing = Framing.ended

    /// 4 KiB: little of a body is read with the head before the plan of an upload limits its pace.
    private static let headSlice = 4 << 10
    /// 1 MiB: a head beyond it is an attack on the test's memory.
    private static let longestHead = 1 << 20

    init(_ socket: ConnectionSocket) { self.socket = socket }

    /// - Returns: `nil` when the client has ended its direction after a whole request.
    mutating func nextHead() throws -> ReceivedRequest? {
        var lines: [String] = []
        var count = 0
        while true {
            guard let line = try nextLine() else {
                guard lines.isEmpty else { throw Malformed() }
                return nil
            }
            count += line.utf8.count
            guard count <= Self.longestHead else { throw Malformed() }
            if !line.isEmpty { lines.append(line) } else if !lines.isEmpty { break }
        }
        let request = try Self.request(lines)
        if request.header("Transfer-Encoding")?.lowercased().hasSuffix("chunked") == true {
            framing = .chunk(nil)
        } else if let length = request.header("Content-Length") {
            guard let length = Int64(length), length >= 0 else { throw Malformed() }
            framing = length > 0 ? .length(length) : .ended
        } else {
            framing = .ended
        }
        return request
    }

    /// Whether the body has been read to its end.
    var isAtEnd: Bool { if case .ended = framing { true } else { false } }

    /// Whether `nextBody` can go on without the socket.
    var hasReceived: Bool { !buffer.isEmpty }

    /// Blocks until more of the body has arrived.
    ///
    /// - Parameter most: bytes read from the socket at most.
    /// - Returns: no bytes when only framing has arrived, or at the end.
    mutating func nextBody(most: Int) throws -> ArraySlice<UInt8> {
        switch framing {
        case .ended: return []
        case .length(let left):
            let piece = try take(most: min(most, Int(clamping: left)))
            framing = left > piece.count ? .length(left - Int64(piece.count)) : .ended
            return piece
        case .chunk(let left?):
            let piece = try take(most: min(most, Int(clamping: left)))
            guard left == piece.count else {
                framing = .chunk(left - Int64(piece.count))
                return piece
            }
            guard try nextLine()?.isEmpty == true else { throw Malformed() }
            framing = .chunk(nil)
            return piece
        case .chunk(nil):
            guard let line = try nextLine(), let size = Int64(line.prefix { $0 != ";" && $0 != " " }, radix: 16),
                size >= 0
            else { throw Malformed() }
            framing = size > 0 ? .chunk(size) : .trailer
            return []
        case .trailer:
            guard let line = try nextLine() else { throw Malformed() }
            if line.isEmpty { framing = .ended }
            return []
        }
    }

    private mutating func take(most: Int) throws -> ArraySlice<UInt8> {
        if buffer.isEmpty { try fill(most: most) }
        defer { buffer = buffer.dropFirst(most) }
        return buffer.prefix(most)
    }

    private mutating func fill(most: Int) throws {
        let bytes = try socket.read(most: most)
        // Inside a body the end is a disconnection.
        if bytes.isEmpty { throw ConnectionSocket.Gone() }
        buffer += bytes
    }

    /// - Returns: the line without its end; `nil` when the client has ended its direction before it.
    private mutating func nextLine() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                var line = buffer[..<end]
                buffer = buffer[(end + 1)...]
                if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
                return String(decoding: line, as: UTF8.self)
            }
            guard buffer.count <= Self.longestHead else { throw Malformed() }
            let bytes = try socket.read(most: Self.headSlice)
            if bytes.isEmpty { return nil }
            buffer += bytes
        }
    }

    private static func request(_ lines: [String]) throws -> ReceivedRequest {
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, words[2].hasPrefix("HTTP/1.") else {
            throw Malformed()
        }
        let headers = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw Malformed() }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return ReceivedRequest.Header(
                name: String(line[..<colon]),
                value: String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed()))
        }
        let options = headers.filter { $0.name.lowercased() == "connection" }.map { $0.value.lowercased() }
            .joined(separator: ",")
        return ReceivedRequest(
            method: String(words[0]), target: String(words[1]), headers: headers,
            isKeepAlive: words[2] == "HTTP/1.0" ? options.contains("keep-alive") : !options.contains("close"),
            arrival: Int64(time(nil)))
    }
}

/// A request as the client sent it.
package struct ReceivedRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, undecoded.
    package let target: String
    package let headers: [Header]
    /// Whether the client allows the connection to be kept alive.
    package let isKeepAlive: Bool
    /// Seconds since 1970.
    var arrival: Int64 = 0

    package struct Header: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// All values of that name, joined by `, ` as RFC 9110 section 5.3 says; letter case does not matter.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    var isHead: Bool { method == "HEAD" }
    var expectsContinue: Bool { header("Expect")?.lowercased() == "100-continue" }

    /// Content-Length, or 0 without a body; `nil` for a chunked one.
    var declaredLength: Int64? {
        if header("Transfer-Encoding") != nil { return nil }
        return header("Content-Length").flatMap { Int64($0) } ?? 0
    }
}
