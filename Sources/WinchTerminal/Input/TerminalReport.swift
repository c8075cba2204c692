/// A report that the terminal sends by itself and that is not a key.
enum TerminalReport: Hashable, Sendable {
    /// The window got the keyboard focus (`true`) or lost it.
    case focus(Bool)
    /// - Parameter sequence: the whole sequence, from ESC to its last byte.
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
