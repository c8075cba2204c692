import Glibc

/// What the environment variables say about the terminal and the user's preferences.
package struct TerminalEnvironment: Hashable, Sendable {
    /// `TERM`; empty when not set.
    package var term: String
    /// `COLORTERM`: `truecolor` or `24bit` promise 16 million colours.
    package var colorTerm: String
    /// `NO_COLOR` is set and not empty.
    ///
    /// - Source: no-color.org
    package var refusesColor: Bool
    /// Inside tmux, which translates colours for the outer terminal.
    package var isInTmux: Bool
    /// `TERM_PROGRAM`; empty when not set.
    package var program = ""
    /// `VTE_VERSION`: GNOME's terminal and its relatives, 8000 for 0.80.
    package var vteVersion: Int?
    /// `ConEmuANSI` is `ON`.
    package var isConEmu = false
    /// `WT_SESSION` is set.
    package var isWindowsTerminal = false

    package init(term: String, colorTerm: String = "", refusesColor: Bool = false, isInTmux: Bool = false) {
        self.term = term
        self.colorTerm = colorTerm
        self.refusesColor = refusesColor
        self.isInTmux = isInTmux
    }

    /// Read from the process's environment.
    package static func fromEnvironment() -> TerminalEnvironment {
        var traits = TerminalEnvironment(
            term: variable("TERM"), colorTerm: variable("COLORTERM"), refusesColor: !variable("NO_COLOR").isEmpty,
            isInTmux: !variable("TMUX").isEmpty)
        traits.program = variable("TERM_PROGRAM")
        traits.vteVersion = Int(variable("VTE_VERSION"))
        traits.isConEmu = variable("ConEmuANSI") == "ON"
        traits.isWindowsTerminal = !variable("WT_SESSION").isEmpty
        return traits
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
