/// A colour as a theme names it; the terminal shows the nearest that it has.
package enum Color: Hashable, Sendable {
    /// The terminal's default colour.
    case standard
    /// One of the 16 colours that the user chose for the terminal.
    case ansi(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The colours and attributes of a cell.
package struct Style: Hashable, Sendable {
    package var foreground: Color
    package var background: Color
    package var isBold: Bool
    package var isDim: Bool
    package var isReverse: Bool
    package var isUnderlined: Bool

    package init(
        foreground: Color = .standard, background: Color = .standard, isBold: Bool = false, isDim: Bool = false,
        isReverse: Bool = false, isUnderlined: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.isBold = isBold
        self.isDim = isDim
        self.isReverse = isReverse
        self.isUnderlined = isUnderlined
    }

    package static let plain = Style()
}
