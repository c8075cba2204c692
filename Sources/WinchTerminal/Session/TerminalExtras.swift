/// What a terminal can beyond its description: told from its name and from what it leaves in the environment, since no
/// database knows it. A terminal that is not known to understand a sequence does not get it.
struct TerminalExtras: Hashable, Sendable {
    /// How to tell a person who looks elsewhere.
    enum Notification: Hashable, Sendable {
        /// OSC 9: iTerm2 and its heirs.
        case nine
        /// OSC 777: urxvt and its heirs.
        case tripleSeven
    }

    /// OSC 0 sets the title; the one before can be kept and brought back.
    var hasTitle: Bool
    /// OSC 9;4 shows progress in the taskbar or tab.
    ///
    /// - Source: ConEmu's documentation, "ANSI X3.64 and Xterm 256 colors", ConEmu specific OSC.
    var hasTaskbar: Bool
    /// `nil`: only the bell.
    var notification: Notification?
    /// It passes over private modes that it does not have, as xterm's relatives do: those for its focus (1004) and for
    /// drawing a frame at once (2026) can be set without asking. An answer to a question might come when a shell reads.
    var hasModes: Bool
    /// OSC 52 is taken, or at least not shown.
    var hasClipboard: Bool

    /// - Parameter entry: `nil`: nothing is known beyond the traits.
    init(traits: TerminalTraits, entry: TerminfoEntry? = nil) {
        let name = traits.term.prefix { $0 != "-" }
        let program = traits.program
        let isXterm = [
            "xterm", "tmux", "screen", "foot", "alacritty", "rxvt", "konsole", "wezterm", "ghostty", "contour",
        ]
        .contains(String(name))
        hasTitle = isXterm
        hasModes = isXterm
        hasClipboard = isXterm || entry?.hasClipboard ?? false
        // Inside tmux the outer terminal's name says nothing: tmux keeps these to itself.
        guard !traits.isInTmux else {
            (hasTaskbar, notification) = (false, nil)
            return
        }
        hasTaskbar =
            traits.isConEmu || traits.isWindowsTerminal || ["ghostty", "WezTerm"].contains(program)
            || (traits.vteVersion ?? 0) >= 8000
        notification =
            switch (program, String(name)) {
            case ("iTerm.app", _), ("WezTerm", _), ("ghostty", _): .nine
            case (_, "foot"), (_, "rxvt"): .tripleSeven
            default: traits.term == "xterm-kitty" ? .nine : nil
            }
    }
}
