/// A style in the terminal's own terms: a pair of colours and attributes.
struct Pen: Hashable, Sendable {
    /// 0: the terminal's own colours.
    var pair: Int32 = 0
    /// `WINCH_BOLD` and its like.
    var attributes: UInt32 = 0
}

/// Two colour numbers that the terminal knows by one number; -1 is the terminal's own colour.
struct ColorPair: Hashable, Sendable {
    var foreground: Int32
    var background: Int32

    static let standard = ColorPair(foreground: -1, background: -1)
}
