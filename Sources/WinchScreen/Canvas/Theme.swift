import Resources

/// The screen's styles by their role. Roles differ in more than colour where they tell a state apart.
public struct Theme: Hashable, Sendable {
    public internal(set) var name: String
    /// What is wrong in its file, as a person reads it: said to whoever chooses the theme.
    public var problems: [String] = []

    /// Ordinary words.
    var text = Style.plain
    /// What is there when looked for: units, settled rows, separators.
    var quiet = Style(isDim: true)
    var title = Style(isBold: true)
    var heading = Style(isDim: true, isUnderlined: true)
    /// Of the column that rows are sorted by; its mark says so too.
    var headingSorted = Style(isBold: true, isUnderlined: true)
    /// What is chosen of a list, and of the table the row that keys act on.
    var selected = Style(isBold: true, isReverse: true)
    /// Instead of `selected` for a whole row, where the terminal has 256 colours: a shade behind words that keep their
    /// colours. Without a background `selected` holds.
    var selectedRow = Style.plain
    /// The names of tagged rows.
    var tagged = Style(isBold: true, isUnderlined: true)
    /// A shade behind tagged rows, where the terminal has 256 colours.
    var taggedRow = Style.plain
    /// The tab that is shown.
    var tab = Style(isBold: true, isReverse: true)
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
    /// With true colour a bar runs from the one to the other, and so do graphs from the ground up.
    var barStart = Style.plain
    var barTip = Style.plain
    /// Curves of rates.
    var graph = Style.plain
    /// Lines of boxes.
    var border = Style(isDim: true)
    /// Entries of the log that only look for faults.
    var debug = Style(isDim: true)
    var isRainbow = false

    /// All that are built in, in the order in which `t` goes through them. They are files of the grammar that a person's own
    /// themes have.
    public static let builtIn: [Theme] = {
        var themes: [Theme] = []
        for (name, text) in Resources.themes {
            themes.append(parsing(text, name: name) { base in themes.first { $0.name == base } }.theme)
        }
        return themes
    }()

    /// Quiet colours of the terminal's own palette on its own background.
    public static let standard = builtIn.first { $0.name == "dark" } ?? Theme(name: "dark")

    /// As standard, with bars in all colours.
    public static let rainbow = builtIn.first { $0.name == "rainbow" } ?? standard

    /// Bold, dim and reverse only.
    public static let mono = Theme(name: "mono")

    /// The built-in theme of that name, `nil` when there is none; `standard` is `dark`.
    public static func named(_ name: String) -> Theme? {
        builtIn.first { $0.name == (name == "standard" ? "dark" : name) }
    }

    init(name: String) {
        self.name = name
    }
}
