import CTerminal
import Glibc

/// The person's locale, for what is printed outside of the screen.
public enum OutputLocale {
    /// Adopts the locale of the environment.
    ///
    /// - Returns: whether it can show more than ASCII.
    public static func adoptsUTF8() -> Bool { winch_locale_adopt() }

    /// Something is a terminal that by the person's locale shows ASCII alone. Files and pipes get text as it is.
    public static func isASCIITerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 && !adoptsUTF8() }
}
