import CTerminal

/// The library that draws the screen, for `winch info`.
package enum TerminalInfo {
    /// ncurses and its version.
    package static var version: String { String(cString: winch_screen_version()) }
}
