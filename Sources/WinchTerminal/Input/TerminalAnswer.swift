/// What a terminal tells by itself, beside keys.
enum TerminalAnswer: Hashable, Sendable {
    /// The window got the keyboard, or lost it.
    case focus(Bool)
    /// - Parameter sequence: whole, from ESC to its last byte.
    ///
    /// - Source: xterm's control sequences, FocusIn and FocusOut.
    init?(_ sequence: [UInt8]) {
        switch sequence {
        case Array("\u{1B}[I".utf8): self = .focus(true)
        case Array("\u{1B}[O".utf8): self = .focus(false)
        default: return nil
        }
    }
}
