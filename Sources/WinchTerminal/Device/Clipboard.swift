import WinchModel

/// Copies text to the clipboard of the user's terminal, also over a remote connection.
///
/// - Source: xterm control sequences, OSC 52.
enum Clipboard {
    /// Most bytes of a text; some terminals drop a longer one.
    private static let longest = 74_994

    static func sequence(copying text: String, extras: TerminalFeatures) throws(InvalidValue) -> [UInt8] {
        guard extras.hasClipboard else { throw InvalidValue("This terminal has no clipboard for programs") }
        let bytes = Array(text.utf8)
        guard bytes.count <= longest else { throw InvalidValue("Too long for the clipboard") }
        return Array("\u{1B}]52;c;\(Base64.encoded(bytes))\u{1B}\\".utf8)
    }
}
