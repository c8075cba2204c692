import WinchModel

/// Ranges of bytes as text: inclusive positions as HTTP writes them, `0-1233,2000-2999`; empty for none.
///
/// - Source: RFC 9110, section 14.1.2.
enum RangesText {
    static func encode(_ have: ByteCount) -> String { have.bytes > 0 ? "0-\(have.bytes - 1)" : "" }

    /// The bytes from the start up to the first gap; zero for an invalid text.
    static func decode(_ text: String) -> ByteCount {
        let first = text.utf8.prefix { $0 != UInt8(ascii: ",") }
        guard first.starts(with: "0-".utf8), let last = Int64(Substring(first.dropFirst(2))),
            (0..<Int64.max).contains(last)
        else { return .zero }
        return ByteCount(bytes: last + 1)
    }
}
