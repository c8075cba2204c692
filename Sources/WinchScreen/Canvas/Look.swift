/// How the dashboard looks, chosen once at the start.
public struct Look: Hashable, Sendable {
    public let theme: Theme
    /// No character beyond ASCII is drawn.
    public let isASCII: Bool
    /// Bars ease and run; without it they stand where the numbers are.
    public let isAnimated: Bool
    /// 1...20: more cannot be told apart and costs a slow line dearly.
    public let framesPerSecond: Int

    public init(
        theme: Theme = .standard, isASCII: Bool = false, isAnimated: Bool = true, framesPerSecond: Int = 20,
        hasColor: Bool = true
    ) {
        self.theme = hasColor ? theme : .mono
        self.isASCII = isASCII
        self.isAnimated = isAnimated
        self.framesPerSecond = min(max(framesPerSecond, 1), 20)
    }

    var symbols: Symbols { Symbols(isASCII: isASCII) }
    var frame: Duration { .nanoseconds(1_000_000_000 / framesPerSecond) }

    func text(_ text: some StringProtocol) -> SafeText {
        SafeText(text, isASCII: isASCII)
    }
}
