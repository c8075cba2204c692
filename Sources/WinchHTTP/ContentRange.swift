/// The value of a Content-Range field: the part of the file in a response.
///
/// - Source: RFC 9110, section 14.4.
package enum ContentRange: Hashable, Sendable {
    /// `bytes 500-999/1234`; the total may be `*`.
    case span(first: Int64, last: Int64, total: Int64?)
    /// `bytes */1234`, in a 416.
    case unsatisfied(total: Int64)

    /// - Returns: `nil` for another unit than bytes, and for positions that contradict each other.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard parts.count >= 2, parts[0].lowercased() == "bytes" else { return nil }
        let range = parts.dropFirst().joined()
        guard let slash = range.firstIndex(of: "/") else { return nil }
        let span = range[..<slash]
        let whole = range[range.index(after: slash)...]
        let total = Self.number(whole)
        guard total != nil || whole == "*" else { return nil }
        if span == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        guard let dash = span.firstIndex(of: "-"), let first = Self.number(span[..<dash]),
            let last = Self.number(span[span.index(after: dash)...]), first <= last, last < .max,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self = .span(first: first, last: last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
