import CTerminal

/// What the screen is painted with, for people who ask.
public enum TerminalInfo {
    /// ncurses and its version.
    public static var version: String { String(cString: winch_screen_version()) }
}
