import CTerminal
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

/// The user's locale, for output outside the screen.
package enum OutputLocale {
    /// Adopts the locale of the environment.
    ///
    /// - Returns: whether its encoding is UTF-8.
    package static func adoptsUTF8() -> Bool { winch_locale_adopt() }

    /// Whether what is written to a descriptor ends on a terminal that by the user's locale can show ASCII only. Text
    /// for files and pipes is not changed. Standard error that is held back while the dashboard is open leads to a
    /// file in memory, but its text ends on the terminal.
    package static func isASCIITerminal(_ descriptor: Int32) -> Bool {
        let isHeld = descriptor == STDERR_FILENO && winch_stderr_is_held()
        return (isHeld || isatty(descriptor) == 1) && !adoptsUTF8()
    }
}

/// The user's encoding if it is a single-byte one, such as Latin-1: the scalars of the bytes from 128 on.
///
/// Empty for encodings with several bytes per character: UTF-8 needs no table, and of the others only ASCII is used.
struct ByteEncoding: Hashable, Sendable {
    private let scalars: [UInt8: Unicode.Scalar]

    static let none = ByteEncoding([:])

    init(_ scalars: [UInt8: Unicode.Scalar]) {
        self.scalars = scalars.filter { PlainText.isShowable($0.value) }
    }

    /// The encoding of the locale that the process has adopted.
    static var ofLocale: ByteEncoding {
        ByteEncoding(
            Dictionary(
                uniqueKeysWithValues: (UInt8(0x80)...0xFF).compactMap { byte in
                    Unicode.Scalar(winch_locale_scalar(byte)).flatMap { $0.isASCII ? nil : (byte, $0) }
                }))
    }

    var isEmpty: Bool { scalars.isEmpty }

    var letters: Set<Unicode.Scalar> { Set(scalars.values) }

    subscript(byte: UInt8) -> Unicode.Scalar? { byte < 0x80 ? Unicode.Scalar(byte) : scalars[byte] }

    /// Decodes bytes, as UTF-8 if the encoding is empty; unassigned bytes are dropped.
    func text(_ bytes: some Sequence<UInt8>) -> String {
        guard !isEmpty else { return String(decoding: Array(bytes), as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes { self[byte].map { text.append($0) } }
        return String(text)
    }
}
