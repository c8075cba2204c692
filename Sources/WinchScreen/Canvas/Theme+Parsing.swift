import WinchBatch

extension Theme {
    /// An error in a line of a theme's file; the other lines are applied.
    package struct Problem: Hashable, Sendable {
        /// The line's number, from 1.
        package let line: Int
        package let message: String

        package init(line: Int, message: String) {
            self.line = line
            self.message = message
        }
    }

    /// The roles by their names in a file.
    static let roles: [(name: String, role: any WritableKeyPath<Theme, Style> & Sendable)] = [
        ("text", \.text), ("quiet", \.quiet), ("title", \.title), ("heading", \.heading),
        ("heading-sorted", \.headingSorted), ("selected", \.selected), ("selected-row", \.selectedRow),
        ("tagged", \.tagged), ("tagged-row", \.taggedRow), ("tab", \.tab),
        ("key", \.key), ("moving", \.moving), ("done", \.done), ("warning", \.warning), ("failure", \.failure),
        ("cancelled", \.cancelled), ("paused", \.paused), ("question", \.question), ("bar-moving", \.barMoving),
        ("bar-fresh", \.barFresh), ("bar-done", \.barDone), ("track", \.track), ("bar-start", \.barStart),
        ("bar-tip", \.barTip), ("graph", \.graph),
        ("border", \.border), ("debug", \.debug),
    ]

    /// Reads a theme: lines of `name=value`, `#` begins a comment in the first column.
    ///
    /// Names are the roles, `base` (a theme to begin with) and `rainbow` (`yes` or `no`). A value of a role is a colour,
    /// `on` and a background colour, and any of `bold`, `dim`, `reverse`, `underline`, in any order.
    ///
    /// - Parameters:
    ///   - name: what the theme is called.
    ///   - text: UTF-8; a BOM and CRLF are fine.
    ///   - base: finds the theme that `base=` names.
    /// - Returns: the theme with all valid lines applied, and the errors in the others.
    package static func parsing(
        _ text: some Sequence<UInt8>, name: String, base: (String) -> Theme? = Theme.named
    ) -> (theme: Theme, problems: [Problem]) {
        var theme = Theme(name: name)
        let file = NameValueLines(parsing: Array(text))
        var problems = file.problems.map { Problem(line: $0.line, message: $0.message) }
        for line in file.lines {
            if let message = theme.take(line.setting, base: base) {
                problems.append(Problem(line: line.number, message: message))
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
            switch Style.parsing(value[...]) {
            case .success(let style): self[keyPath: role] = style
            case .failure(let fault): return fault.message
            }
        }
        return nil
    }
}

extension Style {
    struct Fault: Error, Hashable {
        let message: String
    }

    /// `cyan bold`, `black on bright-yellow`, `#ff8800 dim`; empty is plain.
    static func parsing(_ text: Substring) -> Result<Style, Fault> {
        var style = Style()
        var isBackground = false
        for word in text.split(separator: " ") {
            switch word {
            case "bold": style.isBold = true
            case "dim": style.isDim = true
            case "reverse": style.isReverse = true
            case "underline": style.isUnderlined = true
            case "on": isBackground = true
            default:
                guard let color = Color(parsing: word) else {
                    return .failure(
                        Fault(message: "no colour and none of bold, dim, reverse, underline: \(word.prefix(40))"))
                }
                if isBackground { style.background = color } else { style.foreground = color }
                isBackground = false
            }
        }
        return isBackground ? .failure(Fault(message: "a colour is missing after on")) : .success(style)
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
            self = .rgb(
                red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
        } else {
            return nil
        }
    }
}
