/// Percent-encoding of URLs and header parameters.
///
/// - Source: RFC 3986, section 2.1; RFC 8187.
public enum PercentCoding {
    /// The text with every valid `%XX` decoded; a lone `%` stays. Bytes that are no UTF-8 become U+FFFD.
    public static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: bytes(text), as: UTF8.self)
    }

    /// The same as bytes, for other encodings.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        var result: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = source[index + 1].hexValue,
                let low = source[index + 2].hexValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }
}
