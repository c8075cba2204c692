/// Bytes to be sent, generated slice by slice while they are written, so that a 2 GB body costs no memory.
enum BodySource: Equatable, Sendable {
    case seeded(SeededContent, Range<Int64>)
    case bytes(ArraySlice<UInt8>)

    var count: Int64 {
        switch self {
        case .seeded(_, let range): range.upperBound - range.lowerBound
        case .bytes(let bytes): Int64(bytes.count)
        }
    }

    /// - Parameter range: counted from the start of this source, cut to its end.
    func slice(_ range: Range<Int64>) -> BodySource {
        let range = range.clamped(to: 0..<count)
        switch self {
        case .seeded(let content, let whole):
            return .seeded(content, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
        case .bytes(let bytes):
            let start = bytes.startIndex
            return .bytes(bytes[start + Int(range.lowerBound)..<start + Int(range.upperBound)])
        }
    }

    /// The same bytes but for one of the file, in parts.
    ///
    /// - Parameter position: in the file; what is no part of a file stays as it is.
    func damaged(at position: Int64) -> [BodySource] {
        guard case .seeded(let content, let range) = self, range.contains(position) else { return [self] }
        return [
            .seeded(content, range.lowerBound..<position),
            .bytes(content.bytes(in: position..<position + 1).map { ~$0 }[...]),
            .seeded(content, position + 1..<range.upperBound),
        ]
    }
}
