/// What a Range header asks of a file (RFC 9110, section 14).
enum ByteRangeRequest: Equatable, Sendable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// - Parameter header: `bytes=0-499`, `bytes=500-` or `bytes=-500`. Several ranges, another unit or nonsense count as no
    ///   header at all, which the RFC allows.
    init(_ header: String?, size: Int64) {
        self = .whole
        guard let header, header.lowercased().hasPrefix("bytes=") else { return }
        let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        if bounds[0].isEmpty {
            guard let count = Self.number(bounds[1]) else { return }
            self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
        } else {
            guard let first = Self.number(bounds[0]) else { return }
            guard bounds[1].isEmpty || (Self.number(bounds[1]).map { $0 >= first } ?? false) else { return }
            let last = Self.number(bounds[1]) ?? .max
            self = first >= size ? .unsatisfiable : .part(first..<min(last, size - 1) + 1)
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // More digits than fit mean "to the end", not nonsense.
        return Int64(text) ?? .max
    }
}
