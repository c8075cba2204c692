import CTerminal
import Glibc

/// The user's locale, for output outside the screen.
package enum OutputLocale {
    /// Adopts the locale of the environment.
    ///
    /// - Returns: whether its encoding is UTF-8.
    package static func adoptsUTF8() -> Bool { winch_locale_adopt() }

    /// Whether a descriptor is a terminal that by the user's locale can show ASCII only. Text for files and pipes is
    /// not changed.
    package static func isASCIITerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 && !adoptsUTF8() }
}
