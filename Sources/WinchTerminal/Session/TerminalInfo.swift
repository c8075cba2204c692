import CTerminal

/// The library that draws the screen, for `winch info`.
public enum TerminalInfo {
    /// ncurses and its version.
    public static var version: String { String(cString: winch_screen_version()) }
}
