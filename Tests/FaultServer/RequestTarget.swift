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

    /// The decoded path of an upload; `nil` for any other path.
    var uploadPath: String? {
        let decoded = String(decoding: Percent.decoded(path), as: UTF8.self)
        return UploadTree.contains(decoded) || TusStore.contains(decoded) ? decoded : nil
    }

    /// This target with other options.
    func with(_ options: [String]) -> String { options.isEmpty ? path : path + "?" + options.joined(separator: "&") }
}

/// Percent-encoding, RFC 3986 section 2.1.
package enum Percent {
    /// A `%` that no two hex digits follow stays as it is, and `+` is a plus sign.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "%")
            let digits = isEscape ? rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue } : []
            if digits.count == 2 {
                result.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Everything encoded but unreserved characters and, if asked for, `/`.
    package static func encoded(_ text: some StringProtocol, keepsSlashes: Bool = true) -> String {
        encoded(Array(text.utf8), keepsSlashes: keepsSlashes)
    }

    static func encoded(_ bytes: [UInt8], keepsSlashes: Bool = false) -> String {
        var result = ""
        for byte in bytes {
            if unreserved.contains(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
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
