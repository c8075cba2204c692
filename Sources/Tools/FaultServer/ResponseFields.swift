import NIOHTTP1

/// Status line and header lines, kept as bytes: an encoder would refuse what hostile servers send.
struct ResponseFields: Equatable, Sendable {
    var status: Int
    var version = "1.1"
    private var lines: [[UInt8]] = []

    /// - Parameter now: seconds since 1970, for the Date line every answer carries.
    init(status: Int, now: Int64) {
        self.status = status
        add("Date", DateField.text(now))
    }

    mutating func add(_ name: String, _ value: String) { add(name, Array(value.utf8)) }

    mutating func add(_ name: String, _ value: [UInt8]) { lines.append(Array("\(name): ".utf8) + value) }

    mutating func add(line: [UInt8]) { lines.append(line) }

    /// Adds filler lines of 1 KiB each.
    mutating func add(filler count: Int64) {
        for number in 0..<min(count, Self.mostFiller) / 1024 {
            add("X-Filler-\(number)", [UInt8](repeating: UInt8(ascii: "x"), count: 1000))
        }
    }

    /// 64 MiB: a head is made whole in memory.
    private static let mostFiller: Int64 = 64 << 20

    var bytes: [UInt8] {
        let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
        let all = [Array("HTTP/\(version) \(status) \(reason)".utf8)] + lines + [[]]
        return all.flatMap { $0 + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
    }
}
