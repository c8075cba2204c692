/// The path and query of a request line: `/f/a%20b?size=1M&chunked`.
struct RequestTarget: Equatable, Sendable {
    /// Undecoded, without the query.
    let path: String
    let options: [OptionText]

    /// - Parameter text: `/path?query`, or with scheme and host before it, as proxies are sent it.
    init(_ text: String) {
        let text = text.hasPrefix("http://") ? text.dropFirst(7).drop { $0 != "/" } : text[...]
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.path = String(parts.first ?? "")
        self.options = parts.count < 2 ? [] : parts[1].split(separator: "&").map(OptionText.init)
    }

    /// The decoded NAME of `/f/NAME`, or `nil` for any other path. It may hold slashes.
    var fileName: String? {
        guard path.hasPrefix("/f/") else { return nil }
        return String(decoding: Percent.decoded(path.dropFirst(3)), as: UTF8.self)
    }
}

/// One `name=value` or bare `name` of a query.
struct OptionText: Equatable, Sendable {
    let name: String
    /// Decoded to bytes, not to text: a hostile header need not be UTF-8.
    let bytes: [UInt8]
    /// As it was received, so that a redirect can repeat it unchanged.
    let raw: String

    init(_ raw: Substring) {
        let parts = raw.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        self.name = String(decoding: Percent.decoded(parts.first ?? ""), as: UTF8.self)
        self.bytes = parts.count < 2 ? [] : Percent.decoded(parts[1])
        self.raw = String(raw)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var failure: FaultServerFailure { .badValue(option: name, value: text) }

    /// A whole number, e.g. of bytes: `5`, `64K`, `3M`, `2G` in powers of 1024.
    func count() throws(FaultServerFailure) -> Int64 {
        var digits = text[...]
        var shift: Int64 = 0
        switch digits.last {
        case "K", "k": shift = 10
        case "M", "m": shift = 20
        case "G", "g": shift = 30
        default: break
        }
        if shift > 0 { digits = digits.dropLast() }
        guard let number = Int64(digits), number >= 0, number <= Self.largest >> shift else { throw failure }
        return number << shift
    }

    /// An exbibyte: more than any test asks for, and sums of a few of them still fit.
    private static let largest: Int64 = 1 << 60

    func seconds() throws(FaultServerFailure) -> Duration {
        guard let number = Double(text), number >= 0, number <= 1e6 else { throw failure }
        return .seconds(number)
    }

    func status() throws(FaultServerFailure) -> Int {
        guard let number = Int(text), (100...999).contains(number) else { throw failure }
        return number
    }
}

/// Percent-encoding, RFC 3986 section 2.1.
package enum Percent {
    /// A `%` that no two hex digits follow stays as it is, and `+` is a plus sign.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let source = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = hexValue(source[index + 1]), let low = hexValue(source[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }

    /// Everything encoded but unreserved characters and, if asked for, `/`.
    package static func encoded(_ text: some StringProtocol, keepsSlashes: Bool = true) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "/") where keepsSlashes: result += "/"
            default:
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Failures of the server: at its start, or for a URL with an option or a value that it does not know.
package enum FaultServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case cannotListen(port: Int, reason: String)
    case unknownOption(String)
    case badValue(option: String, value: String)

    package var description: String {
        switch self {
        case .cannotListen(let port, let reason): "cannot listen on 127.0.0.1:\(port): \(reason)"
        case .unknownOption(let name): "no option is called '\(name)'"
        case .badValue(let option, let value): "'\(value)' is no value for '\(option)'"
        }
    }
}
