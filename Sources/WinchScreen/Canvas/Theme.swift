/// The screen's styles by their role. Roles differ in more than colour where they tell a state apart.
public struct Theme: Hashable, Sendable {
    public private(set) var name: String

    /// Ordinary words.
    var text = Style.plain
    /// What is there when looked for: units, settled rows, separators.
    var quiet = Style(isDim: true)
    var title = Style(isBold: true)
    var heading = Style(isDim: true, isUnderlined: true)
    /// Of the column that rows are sorted by; its mark says so too.
    var headingSorted = Style(isBold: true, isUnderlined: true)
    /// The row that keys act on.
    var selected = Style(isBold: true, isReverse: true)
    var key = Style(isBold: true)
    var moving = Style.plain
    var done = Style.plain
    var warning = Style(isBold: true)
    var failure = Style(isBold: true)
    var cancelled = Style(isDim: true)
    var paused = Style.plain
    var question = Style(isBold: true)
    /// The filled part of bars while bytes move.
    var barMoving = Style.plain
    /// Just finished, for the moment that it is held.
    var barFresh = Style(isBold: true)
    var barDone = Style.plain
    var track = Style(isDim: true)
    var isRainbow = false

    /// Quiet colours of the terminal's own palette on its own background.
    public static let standard: Theme = {
        var theme = Theme(name: "standard")
        theme.title = Style(foreground: .ansi(6), isBold: true)
        theme.key = Style(foreground: .ansi(6), isBold: true)
        theme.moving = Style(foreground: .ansi(6))
        theme.done = Style(foreground: .ansi(2))
        theme.warning = Style(foreground: .ansi(3))
        theme.failure = Style(foreground: .ansi(1), isBold: true)
        theme.paused = Style(foreground: .ansi(3))
        theme.question = Style(foreground: .ansi(3), isBold: true)
        theme.barMoving = Style(foreground: .ansi(6))
        theme.barFresh = Style(foreground: .ansi(10))
        theme.barDone = Style(foreground: .ansi(2))
        return theme
    }()

    /// As standard, with bars in all colours.
    public static let rainbow: Theme = {
        var theme = Theme.standard
        theme.name = "rainbow"
        theme.isRainbow = true
        return theme
    }()

    /// Bold, dim and reverse only.
    public static let mono = Theme(name: "mono")

    /// The theme of that name, `nil` when there is none.
    public static func named(_ name: String) -> Theme? {
        [standard, rainbow, mono].first { $0.name == name }
    }

    private init(name: String) {
        self.name = name
    }
}
