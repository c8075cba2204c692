/// Copies text to the clipboard of the user's terminal, also over a remote connection.
///
/// - Source: xterm control sequences, OSC 52.
enum Clipboard {
    /// Why nothing is copied.
    enum Refusal: Error {
        case tooLong, noClipboard

        var words: String {
            switch self {
            case .tooLong: "Too long for the clipboard"
            case .noClipboard: "This terminal has no clipboard for programs"
            }
        }
    }

    /// Most bytes of a text; some terminals drop a longer one.
    private static let longest = 74_994

    /// The bytes that make the terminal copy `text`.
    static func sequence(copying text: String, extras: TerminalFeatures) throws(Refusal) -> [UInt8] {
        guard extras.hasClipboard else { throw .noClipboard }
        let bytes = Array(text.utf8)
        guard bytes.count <= longest else { throw .tooLong }
        return Array("\u{1B}]52;c;".utf8) + base64(bytes) + [0x1B, UInt8(ascii: "\\")]
    }

    /// - Source: RFC 4648, section 4.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return text
    }
}
