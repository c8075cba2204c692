/// A style as ncurses takes it: a pair of colours and attributes.
struct CursesStyle: Hashable, Sendable {
    /// The number of the pair; 0: the terminal's default colours.
    var pair: Int32 = 0
    /// A set of `WINCH_BOLD`, `WINCH_DIM`, `WINCH_REVERSE` and `WINCH_UNDERLINE`.
    var attributes: UInt32 = 0
}

/// Two colour numbers that ncurses refers to by one number; -1 is the terminal's default colour.
struct ColorPair: Hashable, Sendable {
    var foreground: Int32
    var background: Int32

    static let standard = ColorPair(foreground: -1, background: -1)
}
