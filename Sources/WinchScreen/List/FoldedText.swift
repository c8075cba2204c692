/// Text for comparing without regard to case: UTF-8, lower case.
struct FoldedText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.lowercased().utf8)
    }

    /// Whether `text` contains it, regardless of case. Nearly all names are ASCII; those are searched in place,
    /// without a copy.
    func isIn(_ text: String) -> Bool {
        guard let first = bytes.first else { return true }
        let found = text.utf8.withContiguousStorageIfAvailable { Self.find(bytes, first, in: $0) }
        switch found {
        case .some(.some(let answer)): return answer
        case .some(.none), .none:
            return Array(text.lowercased().utf8).withUnsafeBufferPointer { Self.holds(bytes, first, in: $0) }
        }
    }

    /// `nil` if `hay` contains bytes beyond ASCII.
    private static func find(_ needle: [UInt8], _ first: UInt8, in hay: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard hay.allSatisfy({ $0 < 0x80 }) else { return nil }
        return holds(needle, first, in: hay)
    }

    private static func holds(_ needle: [UInt8], _ first: UInt8, in hay: UnsafeBufferPointer<UInt8>) -> Bool {
        guard needle.count <= hay.count else { return false }
        for start in 0...(hay.count - needle.count) where hay[start].lowered == first {
            var length = 1
            while length < needle.count, hay[start + length].lowered == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }
}

extension UInt8 {
    /// An ASCII capital as its small letter; anything else as it is.
    var lowered: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
