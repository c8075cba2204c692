import CTerminal
import Glibc

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
