import Resources
package import WinchBatch
import WinchModel

/// The screen's styles by their role. Roles that distinguish states differ in more than colour.
package struct Theme: Hashable, Sendable {
    package internal(set) var name: String
    /// The errors in its file, as messages for the user; shown when the theme is chosen.
    package var problems: [String] = []

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
    var border = Style(isDim: true)
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

    package static let mono = Theme(name: "mono")

    /// The built-in theme of that name, `nil` when there is none; `standard` is `dark`.
    package static func named(_ name: String) -> Theme? {
        builtIn.first { $0.name == (name == "standard" ? "dark" : name) }
    }
}

extension Theme {
    static let roles: [(name: String, role: any WritableKeyPath<Theme, Style> & Sendable)] = [
        ("text", \.text), ("quiet", \.quiet), ("title", \.title), ("heading", \.heading),
        ("heading-sorted", \.headingSorted), ("selected", \.selected), ("selected-row", \.selectedRow),
        ("tagged", \.tagged), ("tagged-row", \.taggedRow), ("tab", \.tab), ("key", \.key), ("moving", \.moving),
        ("done", \.done), ("warning", \.warning), ("failure", \.failure), ("cancelled", \.cancelled),
        ("paused", \.paused), ("question", \.question), ("bar-moving", \.barMoving), ("bar-fresh", \.barFresh),
        ("bar-done", \.barDone), ("track", \.track), ("bar-start", \.barStart), ("bar-tip", \.barTip),
        ("graph", \.graph), ("border", \.border), ("debug", \.debug),
    ]

    /// Reads a theme: lines of `name=value`, `#` begins a comment in the first column.
    ///
    /// Names are the roles, `base` (a theme to begin with) and `rainbow` (`yes` or `no`). A value of a role is a colour,
    /// `on` and a background colour, and any of `bold`, `dim`, `reverse`, `underline`, in any order.
    ///
    /// - Parameter text: UTF-8; a BOM and CRLF are fine.
    /// - Returns: the theme with all valid lines applied, and the errors in the others.
    package static func parsing(
        _ text: some Sequence<UInt8>, name: String, base: (String) -> Theme? = Theme.named
    ) -> (theme: Theme, problems: [BatchProblem]) {
        var theme = Theme(name: name)
        let file = NameValueLines(parsing: Array(text))
        var problems = file.problems
        for line in file.lines {
            if let message = theme.take(line.setting, base: base) {
                problems.append(BatchProblem(line: line.number, severity: .warning, message: message))
            }
        }
        return (theme, problems.sorted { $0.line < $1.line })
    }

    /// - Returns: the error in the line, or `nil`.
    private mutating func take(_ setting: NameValueLine, base: (String) -> Theme?) -> String? {
        let (key, value) = (setting.name, setting.value)
        switch key {
        case "base":
            guard let base = base(value) else { return "there is no theme \(value.prefix(40))" }
            let own = name
            self = base
            name = own
        case "rainbow":
            guard let isOn = NameValueLine.boolean(value) else {
                return "rainbow is yes or no, not \(value.prefix(40))"
            }
            isRainbow = isOn
        default:
            guard let role = Self.roles.first(where: { $0.name == key })?.role else {
                return "unknown name: \(key.prefix(40))"
                    + NearestName.question(for: key, among: ["base", "rainbow"] + Self.roles.map(\.name))
            }
            do throws(InvalidValue) {
                self[keyPath: role] = try Style(parsing: value)
            } catch {
                return error.message
            }
        }
        return nil
    }
}

extension Style {
    /// Reads `cyan bold`, `black on bright-yellow`, `#ff8800 dim`; empty is plain.
    fileprivate init(parsing text: String) throws(InvalidValue) {
        self.init()
        var isBackground = false
        for word in text.split(separator: " ") {
            switch word {
            case "bold": isBold = true
            case "dim": isDim = true
            case "reverse": isReverse = true
            case "underline": isUnderlined = true
            case "on": isBackground = true
            default:
                guard let color = Color(parsing: word) else {
                    throw InvalidValue("no colour and none of bold, dim, reverse, underline: \(word.prefix(40))")
                }
                if isBackground { background = color } else { foreground = color }
                isBackground = false
            }
        }
        if isBackground { throw InvalidValue("a colour is missing after on") }
    }
}

extension Color {
    private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// `default`, `red`, `bright-red`, `grey` (bright black), `#rrggbb`.
    init?(parsing word: Substring) {
        if word == "default" {
            self = .standard
        } else if word == "grey" || word == "gray" {
            self = .ansi(8)
        } else if let index = Self.names.firstIndex(of: String(word)) {
            self = .ansi(UInt8(index))
        } else if word.hasPrefix("bright-"), let index = Self.names.firstIndex(of: String(word.dropFirst(7))) {
            self = .ansi(UInt8(8 + index))
        } else if word.first == "#", word.utf8.count == 7, let number = UInt32(word.dropFirst(), radix: 16) {
            self = .rgb(red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
        } else {
            return nil
        }
    }
}

/// A colour as a theme names it; the terminal shows the nearest that it has.
package enum Color: Hashable, Sendable {
    case standard
    /// One of the 16 colours that the user chose for the terminal.
    case ansi(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

package struct Style: Hashable, Sendable {
    package var foreground = Color.standard
    package var background = Color.standard
    package var isBold = false
    package var isDim = false
    package var isReverse = false
    package var isUnderlined = false

    package static let plain = Style()
}

/// A gradient from one colour to another, in few steps: a terminal has few colour pairs, and each change of colour
/// costs 20 bytes of output.
struct Gradient: Hashable, Sendable {
    private let colors: [Color]

    /// 24 steps: more cannot be distinguished along a bar.
    static let steps = 24

    /// - Returns: `nil` unless both are RGB colours: the shades of the terminal's palette are unknown.
    init?(from start: Color, to end: Color) {
        guard case .rgb(let red, let green, let blue) = start, case .rgb(let red2, let green2, let blue2) = end else {
            return nil
        }
        colors = (0..<Self.steps).map { step in
            func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
                UInt8(Int(from) + (Int(to) - Int(from)) * step / (Self.steps - 1))
            }
            return .rgb(red: mixed(red, red2), green: mixed(green, green2), blue: mixed(blue, blue2))
        }
    }

    /// The colour at `place` of `count` places, from 0; the last place has the end colour.
    func color(at place: Int, of count: Int) -> Color {
        guard count > 1 else { return colors[colors.count - 1] }
        let place = min(max(place, 0), count - 1)
        return colors[min(colors.count - 1, place * colors.count / (count - 1))]
    }
}

enum Hue {
    /// The rainbow's colour at cell `x` of `width`, `time` after its start: it turns once over the bar's width and runs
    /// to the right at 62.5 degrees a second, a round in 5.76 s.
    ///
    /// hue(x, t) = (360 x / W - 62.5 t) mod 360
    static func rainbow(x: Int, width: Int, time: Duration) -> Color {
        let turned = 360 * Double(x) / Double(max(1, width)) - 62.5 * time.seconds
        return color(degrees: turned)
    }

    /// The colour at an angle, rounded down to steps of 6 degrees: finer steps are not visible on a bar, and a
    /// terminal has few colour pairs.
    static func color(degrees: Double) -> Color {
        guard degrees.isFinite else { return .standard }
        let wrapped = degrees.truncatingRemainder(dividingBy: 360)
        let step = Int((wrapped < 0 ? wrapped + 360 : wrapped) / 6) % 60
        let sector = step / 10
        let rise = Double(step % 10) / 10
        let (low, high) = (70.0, 240.0)
        let up = low + (high - low) * rise
        let down = high - (high - low) * rise
        switch sector {
        case 0: return rgb(high, up, low)
        case 1: return rgb(down, high, low)
        case 2: return rgb(low, high, up)
        case 3: return rgb(low, down, high)
        case 4: return rgb(up, low, high)
        default: return rgb(high, low, down)
        }
    }

    private static func rgb(_ red: Double, _ green: Double, _ blue: Double) -> Color {
        .rgb(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
    }
}
