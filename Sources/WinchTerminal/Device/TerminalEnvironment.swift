import Glibc

/// What the environment variables say about the terminal and the user's preferences.
package struct TerminalEnvironment: Hashable, Sendable {
    /// `TERM`; empty when not set.
    package var term: String
    /// `COLORTERM`: `truecolor` or `24bit` promise 16 million colours.
    package var colorTerm = ""
    /// `NO_COLOR` is set and not empty.
    ///
    /// - Source: no-color.org
    package var refusesColor = false
    /// Inside tmux, which translates colours for the outer terminal.
    package var isInTmux = false
    /// `TERM_PROGRAM`; empty when not set.
    package var program = ""
    /// `VTE_VERSION`: GNOME's terminal and its relatives, 8000 for 0.80.
    package var vteVersion: Int?
    /// `ConEmuANSI` is `ON`.
    package var isConEmu = false
    /// `WT_SESSION` is set.
    package var isWindowsTerminal = false

    package static func fromEnvironment() -> TerminalEnvironment {
        TerminalEnvironment(
            term: variable("TERM"), colorTerm: variable("COLORTERM"), refusesColor: !variable("NO_COLOR").isEmpty,
            isInTmux: !variable("TMUX").isEmpty, program: variable("TERM_PROGRAM"),
            vteVersion: Int(variable("VTE_VERSION")), isConEmu: variable("ConEmuANSI") == "ON",
            isWindowsTerminal: !variable("WT_SESSION").isEmpty)
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}

/// Features of a terminal beyond its terminfo entry, derived from its name and its environment variables, since no
/// database has them. A sequence is sent only to terminals that are known to understand it.
struct TerminalFeatures: Hashable, Sendable {
    /// The sequence for a desktop notification.
    enum Notification: Hashable, Sendable {
        /// OSC 9: iTerm2 and terminals that followed it.
        case nine
        /// OSC 777: urxvt and terminals that followed it.
        case tripleSeven
    }

    /// OSC 0 sets the window title; the previous title can be saved and restored.
    var hasTitle: Bool
    /// OSC 9;4 shows progress in the taskbar or tab.
    ///
    /// - Source: ConEmu's documentation, "ANSI X3.64 and Xterm 256 colors", ConEmu specific OSC.
    var hasTaskbar: Bool
    /// `nil`: only the bell.
    var notification: Notification?
    /// It ignores private modes that it does not have, as xterm's relatives do, so that those for focus reports
    /// (1004) and synchronized output (2026) can be set without a query. The answer to a query might arrive only when
    /// a shell reads the terminal again.
    var hasModes: Bool
    /// OSC 52 sets the clipboard, or is at least ignored.
    var hasClipboard: Bool

    /// - Parameter entry: the terminfo entry; `nil`: nothing is known beyond the traits.
    init(traits: TerminalEnvironment, entry: TerminfoEntry? = nil) {
        let name = traits.term.prefix { $0 != "-" }
        let program = traits.program
        let isXterm = [
            "xterm", "tmux", "screen", "foot", "alacritty", "rxvt", "konsole", "wezterm", "ghostty", "contour",
        ]
        .contains(String(name))
        hasTitle = isXterm
        hasModes = isXterm
        hasClipboard = isXterm || entry?.hasClipboard ?? false
        // tmux does not pass these sequences to the outer terminal.
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
