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
