/// A colour as a theme names it; the terminal shows the nearest that it has.
public enum Color: Hashable, Sendable {
    /// The terminal's default colour.
    case standard
    /// One of the 16 colours that the user chose for the terminal.
    case ansi(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The colours and attributes of a cell.
public struct Style: Hashable, Sendable {
    public var foreground: Color
    public var background: Color
    public var isBold: Bool
    public var isDim: Bool
    public var isReverse: Bool
    public var isUnderlined: Bool

    public init(
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

    public static let plain = Style()
}
