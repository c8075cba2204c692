import CTerminal

/// The person's locale, for what is printed outside of the screen.
public enum OutputLocale {
    /// Adopts the locale of the environment.
    ///
    /// - Returns: whether it can show more than ASCII.
    public static func adoptsUTF8() -> Bool { winch_locale_adopt() }
}
