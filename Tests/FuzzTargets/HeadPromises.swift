import WinchHTTP
import WinchModel

/// Invariants of the parsers of response heads.
enum HeadPromises {
    static func fault(contentRange bytes: [UInt8]) -> String? {
        guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return nil }
        let text: String
        switch range {
        case .span(let first, let last, let total):
            if first < 0 || last < first || last == .max { return "positions \(first) to \(last)" }
            if let total, last >= total { return "position \(last) of \(total)" }
            text = "bytes \(first)-\(last)/\(total.map { "\($0)" } ?? "*")"
        case .unsatisfied(let total):
            if total < 0 { return "a total of \(total)" }
            text = "bytes */\(total)"
        }
        return ContentRange(text) == range ? nil : "'\(text)' is another range when read again"
    }

    /// Reads the input without its first byte as the head of a response to a request for the whole file.
    static func fault(head bytes: [UInt8]) -> String? {
        var head = ResponseHead()
        for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n")) {
            _ = Array(line).withUnsafeBytes { head.read($0) }
        }
        if let length = head.bodyLength, length < 0 { return "a body of \(length) bytes" }
        if let wait = head.retryAfter.flatMap({ RetryAfter.wait($0, now: 1_000_000_000) }), let fault = fault(of: wait)
        {
            return fault
        }
        return fault(of: ResponseVerdict(head, asked: nil))
    }

    private static func fault(of verdict: ResponseVerdict) -> String? {
        switch verdict {
        case .open(let offset, let overlap, let end, let total, _):
            if offset != 0 || overlap != 0 { return "a part at \(offset) that nobody asked for" }
            if let end, end < offset { return "ends at \(end), before it begins" }
            if let end, let total, end > total { return "ends at \(end) of \(total)" }
            return nil
        case .alreadyComplete, .startOver, .compare, .reread: return "of a request for all"
        case .fail: return nil
        }
    }

    static func fault(of wait: Duration) -> String? {
        wait < .zero || wait > .seconds(365 * 86_400) ? "a wait of \(wait)" : nil
    }
}
