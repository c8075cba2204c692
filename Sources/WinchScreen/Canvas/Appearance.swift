/// The dashboard's appearance: theme, character set, colours and animation.
package struct Appearance: Hashable, Sendable {
    package private(set) var theme: Theme
    /// Only ASCII characters are drawn, and `letters` in text from outside.
    package var isASCII: Bool
    /// Letters beyond ASCII that text from outside may contain even if `isASCII`.
    package let letters: TerminalLetters
    /// Bars move smoothly; otherwise they jump to their values.
    package var isAnimated: Bool
    /// 1...20: more cannot be distinguished, and is expensive on a slow line.
    package private(set) var framesPerSecond: Int
    /// The colours of the terminal; `mono` if the user wants none.
    package let colors: ColorRange
    package var hasColor: Bool { colors != .mono }

    package init(
        theme: Theme = .standard, isASCII: Bool = false, isAnimated: Bool = true, framesPerSecond: Int = 20,
        hasColor: Bool = true, colors: ColorRange = .palette, letters: TerminalLetters = .none
    ) {
        self.theme = hasColor ? theme : .mono
        self.isASCII = isASCII
        self.isAnimated = isAnimated
        self.framesPerSecond = min(max(framesPerSecond, 1), 20)
        self.colors = hasColor ? colors : .mono
        self.letters = letters
    }

    /// Changes the theme.
    ///
    /// - Returns: `false` on a terminal without colours, where the theme stays mono.
    mutating func use(_ theme: Theme) -> Bool {
        guard hasColor else { return false }
        self.theme = theme
        return true
    }

    mutating func setFrames(_ perSecond: Int) { framesPerSecond = min(max(perSecond, 1), 20) }

    /// The gradient of bars and graphs; `nil` if the terminal has no true colour or the theme has no gradient.
    var gradient: Gradient? {
        colors == .full ? Gradient(from: theme.barStart.foreground, to: theme.barTip.foreground) : nil
    }

    var symbols: UnicodeAndASCIISymbols { UnicodeAndASCIISymbols(isASCII: isASCII) }
    /// Time between two frames.
    var frame: Duration { .nanoseconds(1_000_000_000 / framesPerSecond) }

    func text(_ text: some StringProtocol) -> SafeText {
        SafeText(text, isASCII: isASCII, letters: letters)
    }
}
