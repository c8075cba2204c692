/// Percent-encoding of URLs and header parameters.
///
/// - Source: RFC 3986, section 2.1; RFC 8187.
package enum PercentCoding {
    /// The text with every valid `%XX` decoded; a `%` without two hex digits is kept. Bytes that are not UTF-8 become U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.hasByte(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: bytes(text), as: UTF8.self)
    }

    /// The text of the bytes that are meant, which need not be UTF-8: of a name at a server, in a command or in a list.
    package static func decodedSystemText(_ text: some StringProtocol) -> String { String(system: bytes(text)) }

    /// The text with its `%XX` decoded if that is UTF-8, else as it is: the codes still say which bytes are meant.
    package static func decodedIfText(_ text: some StringProtocol) -> String {
        guard text.hasByte(UInt8(ascii: "%")) else { return String(text) }
        return String(validating: bytes(text), as: UTF8.self) ?? String(text)
    }

    /// The text as one part of a path: every byte that is not unreserved becomes `%XX`.
    ///
    /// - Source: RFC 3986, section 2.3.
    package static func encoded(_ text: some StringProtocol) -> String { encoded(bytes: text.systemBytes) }

    static func encoded(bytes source: [UInt8]) -> String {
        var bytes: [UInt8] = []
        for byte in source {
            if byte.isUnreserved { bytes.append(byte) } else { bytes += plain(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without codes for bytes that need none, and with capital letters in the others. Those of dots stay as they are:
    /// servers differ about whether such a segment is `..`.
    ///
    /// - Source: RFC 3986, section 6.2.2.
    package static func normal(_ text: some StringProtocol) -> String {
        guard text.hasByte(UInt8(ascii: "%")) else { return String(text) }
        let bytes = replacingCodes(in: text.allBytes) { $0 == UInt8(ascii: ".") ? nil : plain($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The byte, or its code where it needs one.
    private static func plain(_ byte: UInt8) -> [UInt8] {
        byte.isUnreserved ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text with `%XX` for each scalar that stands for a byte of the system.
    package static func encodingSystemBytes(_ text: some StringProtocol) -> String {
        guard SystemText.mayStandForBytes(text) else { return String(text) }
        return text.unicodeScalars.map { SystemText.byte($0) == nil ? String($0) : encoded(String($0)) }.joined()
    }

    /// The text with `%XX` for each byte that is no ASCII.
    ///
    /// - Parameter place: the bytes that stay as they are.
    static func encodingNonASCII(_ text: String, besides place: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if byte < 0x80 || place.contains(index) { bytes.append(byte) } else { bytes += plain(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded bytes, for text that is not in UTF-8.
    package static func bytes(_ text: some StringProtocol) -> [UInt8] { bytes(text.allBytes) }

    /// The bytes with every valid `%XX` decoded; they need not be UTF-8.
    package static func bytes(_ source: [UInt8]) -> [UInt8] { replacingCodes(in: source) { [$0] } }

    /// - Parameter code: what stands for a byte in place of its `%XX`; `nil`: the code stays as it is.
    private static func replacingCodes(in source: [UInt8], by code: (UInt8) -> [UInt8]?) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = source[index + 1].hexValue,
                let low = source[index + 2].hexValue, let bytes = code(high << 4 | low)
            {
                result += bytes
                index += 3
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }
}

extension UInt8 {
    /// Letters, digits, `-`, `.`, `_` and `~`: those that a URL never needs to encode.
    var isUnreserved: Bool {
        // Compared one by one: a text would be looked through for each byte of each name.
        isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }
}
