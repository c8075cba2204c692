/// The combined value of all Content-Length fields of one response.
///
/// - Source: RFC 9110, section 8.6; RFC 9112, section 6.3.
package enum ContentLength: Hashable, Sendable {
    case absent
    case bytes(Int64)
    /// Not plain decimal digits, or a number of more than 63 bits. The text is shortened.
    case malformed(String)
    /// Two fields, or two values in one field, that differ.
    case conflicting

    /// Adds the value of one field. Equal values, in one field (`1000, 1000`) or in several, count once.
    mutating func add(_ value: UnsafeRawBufferPointer) {
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            var part = part.drop { $0 <= 0x20 }
            while let last = part.last, last <= 0x20 { part = part.dropLast() }
            add(String(decoding: part, as: UTF8.self))
        }
    }

    private mutating func add(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text) else {
            if self != .conflicting { self = .malformed(String(text.prefix(40))) }
            return
        }
        switch self {
        case .absent: self = .bytes(count)
        case .bytes(let earlier): if earlier != count { self = .conflicting }
        case .malformed, .conflicting: break
        }
    }
}
