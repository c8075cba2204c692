import Glibc

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
        let all = [Array("HTTP/\(version) \(status) \(Self.reasons[status] ?? "")".utf8)] + lines + [[]]
        return all.flatMap { $0 + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
    }

    /// Reason phrases of the statuses that tests ask for. Source: RFC 9110, section 15, and the IANA registry.
    private static let reasons = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        207: "Multi-Status", 226: "IM Used", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Payload Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Entity", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 460: "Checksum Mismatch",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that RFC 9110 (section 5.6.7) allows a server to send.
enum DateField {
    /// - Parameter seconds: since 1970, within the years 0 to 9999 or so.
    static func text(_ seconds: Int64) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}
