/// Base64 with the standard alphabet. By hand, because the pure modules import no Foundation; the only implementation.
///
/// - Source: RFC 4648, section 4.
package enum Base64 {
    /// Decodes text with or without padding.
    ///
    /// - Returns: `nil` for any other character, and for a length that is impossible in Base64.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var held: UInt32 = 0
        var count = 0
        var padding = 0
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = values[Int(character)] else { return nil }
            held = held << 6 | value
            count += 1
            if count.isMultiple(of: 4) {
                bytes += [UInt8(truncatingIfNeeded: held >> 16), UInt8(truncatingIfNeeded: held >> 8)]
                bytes.append(UInt8(truncatingIfNeeded: held))
                held = 0
            }
        }
        switch count % 4 {
        case 0: return padding == 0 ? bytes : nil
        case 2: bytes.append(UInt8(truncatingIfNeeded: held >> 4))
        case 3: bytes += [UInt8(truncatingIfNeeded: held >> 10), UInt8(truncatingIfNeeded: held >> 2)]
        default: return nil
        }
        return padding == 0 || padding == 4 - count % 4 ? bytes : nil
    }

    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes with padding.
    package static func encoded(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let held = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? UInt8(ascii: "=") : characters[Int(held >> (18 - 6 * UInt32(place)) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// By character; `nil`: it is none of the alphabet.
    private static let values: [UInt32?] = (0...UInt8.max).map { character in
        characters.firstIndex(of: character).map { UInt32($0) }
    }
}

/// Hexadecimal digits of bytes.
package enum Hex {
    /// Two lower-case digits for each byte.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes of pairs of digits in any case; `nil` for any other character and for an odd number of digits.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap(\.hexValue)
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

extension UInt8 {
    /// An ASCII hexadecimal digit.
    package var isHexDigit: Bool { hexValue != nil }

    /// 0...15 for an ASCII hexadecimal digit.
    package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
