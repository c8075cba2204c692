import Resources

/// The screen's styles by their role. Roles that distinguish states differ in more than colour.
package struct Theme: Hashable, Sendable {
    package internal(set) var name: String
    /// The errors in its file, as messages for the user; shown when the theme is chosen.
    package var problems: [String] = []

    /// Ordinary text.
    var text = Style.plain
    /// Less important text: units, settled rows, separators.
    var quiet = Style(isDim: true)
    var title = Style(isBold: true)
    var heading = Style(isDim: true, isUnderlined: true)
    /// The heading of the column that rows are sorted by, which also has an arrow.
    var headingSorted = Style(isBold: true, isUnderlined: true)
    /// The selected entry of a list, and the selected row of the table.
    var selected = Style(isBold: true, isReverse: true)
    /// Used instead of `selected` for a row of the table if the terminal has 256 colours: a background shade behind
    /// text that keeps its colours. If it has no background, `selected` is used.
    var selectedRow = Style.plain
    /// The names of tagged rows.
    var tagged = Style(isBold: true, isUnderlined: true)
    /// A background shade of tagged rows, if the terminal has 256 colours.
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
    /// A bar that has just finished, while it is highlighted.
    var barFresh = Style(isBold: true)
    var barDone = Style.plain
    var track = Style(isDim: true)
    /// With true colour, bars have a gradient from `barStart` to `barTip` from left to right, and graphs from bottom
    /// to top.
    var barStart = Style.plain
    var barTip = Style.plain
    /// Curves of rates.
    var graph = Style.plain
    /// Lines of boxes.
    var border = Style(isDim: true)
    /// Debug entries of the log.
    var debug = Style(isDim: true)
    var isRainbow = false

    /// The built-in themes, in the order in which `t` cycles through them. They are files in the same format as the
    /// user's own themes.
    package static let builtIn: [Theme] = {
        var themes: [Theme] = []
        for (name, text) in Resources.themes {
            themes.append(parsing(text, name: name) { base in themes.first { $0.name == base } }.theme)
        }
        return themes
    }()

    /// Quiet colours of the terminal's own palette on its own background.
    package static let standard = builtIn.first { $0.name == "dark" } ?? Theme(name: "dark")

    /// As standard, with bars in all colours.
    package static let rainbow = builtIn.first { $0.name == "rainbow" } ?? standard

    /// Bold, dim and reverse only.
    package static let mono = Theme(name: "mono")

    /// The built-in theme of that name, `nil` when there is none; `standard` is `dark`.
    package static func named(_ name: String) -> Theme? {
        builtIn.first { $0.name == (name == "standard" ? "dark" : name) }
    }

    init(name: String) {
        self.name = name
    }
}
