import CTerminal
package import WinchScreen

/// Converts styles to pens: finds the nearest colours that the terminal has, and defines each pair of colours once.
struct ColorPalette: Sendable {
    let depth: ColorDepth
    /// The most pairs in use: the terminal's limit, or `mostPairs` to limit the memory.
    let limit: Int
    private var numbers: [ColorPair: Int32] = [:]
    private var pens: [Style: CursesStyle] = [:]
    /// Pairs made since the last `takeFresh()`.
    private var fresh: [(number: Int32, pair: ColorPair)] = []

    /// 8192: a rainbow has at most 1,530 colours, and this is enough for it on several backgrounds.
    static let mostPairs = 8192

    /// - Parameter pairs: the number of pairs that the terminal has, with pair 0, which is always its default
    ///   colours.
    init(depth: ColorDepth, pairs: Int) {
        limit = min(max(pairs - 1, 0), Self.mostPairs)
        self.depth = depth
    }

    /// The pen for a style; `nil` if no pair is left for its colours, so that the caller must call `startOver()`.
    mutating func pen(for given: Style) -> CursesStyle? {
        if let pen = pens[given] { return pen }
        let style = visible(given)
        var attributes: UInt32 = 0
        if style.isBold { attributes |= UInt32(WINCH_BOLD) }
        if style.isDim { attributes |= UInt32(WINCH_DIM) }
        if style.isReverse { attributes |= UInt32(WINCH_REVERSE) }
        if style.isUnderlined { attributes |= UInt32(WINCH_UNDERLINE) }
        // With eight colours a bright colour is drawn as bold, as on the first colour terminals.
        if depth == .eight, case .ansi(8...15) = style.foreground { attributes |= UInt32(WINCH_BOLD) }
        let pair = ColorPair(
            foreground: style.foreground.number(at: depth), background: style.background.number(at: depth))
        guard let number = number(of: pair) else { return nil }
        let pen = CursesStyle(pair: number, attributes: attributes)
        pens[given] = pen
        return pen
    }

    /// With eight colours a grey would become black or white, and one of them is the background: the track of a bar
    /// would be invisible. So greys become the terminal's default colour, dimmed unless they are nearly black or
    /// white.
    private func visible(_ style: Style) -> Style {
        guard depth == .eight, style.background == .standard, [0, 7].contains(style.foreground.number(at: depth)),
            case .rgb(let red, let green, let blue) = style.foreground
        else { return style }
        var visible = style
        visible.foreground = .standard
        if (32...208).contains((Int(red) + Int(green) + Int(blue)) / 3) { visible.isDim = true }
        return visible
    }

    private mutating func number(of pair: ColorPair) -> Int32? {
        if pair == .standard { return 0 }
        if let number = numbers[pair] { return number }
        guard numbers.count < limit else { return nil }
        let number = Int32(numbers.count + 1)
        numbers[pair] = number
        fresh.append((number, pair))
        return number
    }

    /// The new pairs, which must be defined in the terminal before their pens are used.
    mutating func takeFresh() -> [(number: Int32, pair: ColorPair)] {
        defer { fresh = [] }
        return fresh
    }

    /// Forgets all pairs; the caller must draw the whole screen anew.
    mutating func startOver() {
        numbers = [:]
        pens = [:]
        fresh = []
    }
}

/// A style as ncurses takes it: a pair of colours and attributes.
struct CursesStyle: Hashable, Sendable {
    /// The number of the pair; 0: the terminal's default colours.
    var pair: Int32 = 0
    /// A set of `WINCH_BOLD`, `WINCH_DIM`, `WINCH_REVERSE` and `WINCH_UNDERLINE`.
    var attributes: UInt32 = 0
}

/// Two colour numbers that ncurses refers to by one number; -1 is the terminal's default colour.
struct ColorPair: Hashable, Sendable {
    var foreground: Int32
    var background: Int32

    static let standard = ColorPair(foreground: -1, background: -1)
}

package enum ColorDepth: Hashable, Sendable, Comparable {
    case mono, eight, sixteen, indexed256, direct

    /// The class of colours that the screen may draw with.
    package var range: ColorRange {
        switch self {
        case .mono: .mono
        case .eight, .sixteen: .palette
        case .indexed256: .many
        case .direct: .full
        }
    }

    init(entry: TerminfoEntry, traits: TerminalEnvironment) {
        let count = entry.number("colors") ?? 0
        if traits.refusesColor || count < 8 {
            self = .mono
        } else if Self.isDirect(entry: entry, traits: traits, count: count) {
            self = .direct
        } else if count >= 256 {
            self = .indexed256
        } else {
            self = count >= 16 ? .sixteen : .eight
        }
    }

    private static func isDirect(entry: TerminfoEntry, traits: TerminalEnvironment, count: Int) -> Bool {
        // Direct colours are set by SGR; a terminal that sets colours in another way would print the sequence.
        guard entry.string("setaf")?.starts(with: [0x1B, UInt8(ascii: "[")]) == true else { return false }
        if count >= 1 << 24 || entry.isDirect { return true }
        // GNU screen inherits COLORTERM from the outer terminal, but does not understand direct colours itself.
        guard !traits.term.hasPrefix("screen") || traits.isInTmux else { return false }
        return traits.colorTerm == "truecolor" || traits.colorTerm == "24bit"
    }
}

extension Color {
    /// The terminal's number for the colour, or for the nearest one that it has; -1 is its default colour.
    func number(at depth: ColorDepth) -> Int32 {
        switch (self, depth) {
        case (.standard, _), (_, .mono): -1
        case (.ansi(let index), .eight): Int32(index % 8)
        case (.ansi(let index), _): Int32(index % 16)
        case (.rgb(let red, let green, let blue), .direct):
            // Numbers below 16 are the colours of the user's palette, so the darkest blues are raised to 16.
            max(16, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
        case (.rgb(let red, let green, let blue), .indexed256): Self.indexed(RGB(red, green, blue))
        case (.rgb(let red, let green, let blue), .sixteen): Self.nearest(RGB(red, green, blue), of: 16)
        case (.rgb(let red, let green, let blue), .eight): Self.nearest(RGB(red, green, blue), of: 8)
        }
    }

    private struct RGB {
        var red, green, blue: Int32

        init(_ red: some BinaryInteger, _ green: some BinaryInteger, _ blue: some BinaryInteger) {
            (self.red, self.green, self.blue) = (Int32(red), Int32(green), Int32(blue))
        }

        /// The squared distance, weighted by the approximate brightness of each component.
        func distance(to other: RGB) -> Int32 {
            let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
            return 3 * red * red + 6 * green * green + 2 * blue * blue
        }
    }

    /// The cube of 6 x 6 x 6 (from 16) or the 24 greys (from 232), whichever is nearer. The first 16 are not used:
    /// the user can change them, so their shades are unknown.
    private static func indexed(_ color: RGB) -> Int32 {
        let steps: [Int32] = [0, 95, 135, 175, 215, 255]
        func step(_ value: Int32) -> Int {
            steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
        }
        let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
        let grey = min(max((color.red + color.green + color.blue) / 3 - 3, 0) / 10, 23)
        let greyLevel = 8 + 10 * grey
        let fromCube = color.distance(to: RGB(steps[red], steps[green], steps[blue]))
        let fromGrey = color.distance(to: RGB(greyLevel, greyLevel, greyLevel))
        return fromGrey < fromCube ? 232 + grey : Int32(16 + 36 * red + 6 * green + blue)
    }

    private static func nearest(_ color: RGB, of count: Int) -> Int32 {
        let found = xterm.prefix(count).indices.min { color.distance(to: xterm[$0]) < color.distance(to: xterm[$1]) }
        return Int32(found ?? 7)
    }

    /// The first 16 colours as xterm has them.
    private static let xterm = [
        RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
        RGB(0, 205, 205), RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
        RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]
}
