/// How the dashboard looks.
public struct Look: Hashable, Sendable {
    public private(set) var theme: Theme
    /// No sign beyond ASCII is drawn.
    public var isASCII: Bool
    /// What names may keep of their letters all the same.
    public let letters: Letters
    /// Bars ease and run; without it they stand where the numbers are.
    public var isAnimated: Bool
    /// 1...20: more cannot be told apart and costs a slow line dearly.
    public private(set) var framesPerSecond: Int
    /// What the terminal shows, as far as the user wants colours.
    public let colors: ColorRange
    public var hasColor: Bool { colors != .mono }

    public init(
        theme: Theme = .standard, isASCII: Bool = false, isAnimated: Bool = true, framesPerSecond: Int = 20,
        hasColor: Bool = true, colors: ColorRange = .palette, letters: Letters = .none
    ) {
        self.theme = hasColor ? theme : .mono
        self.isASCII = isASCII
        self.isAnimated = isAnimated
        self.framesPerSecond = min(max(framesPerSecond, 1), 20)
        self.colors = hasColor ? colors : .mono
        self.letters = letters
    }

    /// - Returns: `false` where there is no colour to show a theme in; mono stays then.
    mutating func wear(_ theme: Theme) -> Bool {
        guard hasColor else { return false }
        self.theme = theme
        return true
    }

    mutating func setFrames(_ perSecond: Int) { framesPerSecond = min(max(perSecond, 1), 20) }

    /// Of bars and graphs, where the terminal can show it and the theme has one.
    var gradient: Gradient? {
        colors == .full ? Gradient(from: theme.barStart.foreground, to: theme.barTip.foreground) : nil
    }

    var symbols: Symbols { Symbols(isASCII: isASCII) }
    var frame: Duration { .nanoseconds(1_000_000_000 / framesPerSecond) }

    func text(_ text: some StringProtocol) -> SafeText {
        SafeText(text, isASCII: isASCII, letters: letters)
    }
}
