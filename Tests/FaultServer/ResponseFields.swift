import Glibc

/// Status line and header lines, kept as bytes: an encoder would refuse what hostile servers send.
struct ResponseFields: Equatable, Sendable {
    var status: Int
    var version = "1.1"
    private var lines: [[UInt8]] = []

    init(status: Int, for request: ReceivedRequest) {
        self.status = status
        add("Date", DateField.text(request.arrival))
    }

    mutating func add(_ name: String, _ value: String) { add(name, Array(value.utf8)) }

    mutating func add(_ name: String, _ value: [UInt8]) { lines.append(Array("\(name): ".utf8) + value) }

    mutating func add(line: [UInt8]) { lines.append(line) }

    var bytes: [UInt8] {
        let all = [Array("HTTP/\(version) \(status) \(Self.reasons[status] ?? "")".utf8)] + lines + [[]]
        return all.flatMap { $0 + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
    }

    /// A head that comes before the answer.
    ///
    /// - Parameter fields: whole lines with their ends.
    static func interim(_ status: Int, _ fields: String) -> [UInt8] {
        Array("HTTP/1.1 \(status) \(reasons[status] ?? "Wait")\r\n\(fields)\r\n".utf8)
    }

    private static let reasons = [
        100: "Continue", 103: "Early Hints", 104: "Upload Resumption Supported", 200: "OK", 201: "Created",
        206: "Partial Content", 207: "Multi-Status", 301: "Moved Permanently", 302: "Found", 404: "Not Found",
        503: "Service Unavailable",
    ]
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that RFC 9110 (section 5.6.7) allows a server to send.
enum DateField {
    /// - Parameter seconds: since 1970, within the years 0 to 9999 or so.
    /// - Parameter format: of `strftime`.
    static func text(_ seconds: Int64, as format: String = "%a, %d %b %Y %H:%M:%S GMT") -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress, $0.count, format, &parts)
            }
        }
    }
}
