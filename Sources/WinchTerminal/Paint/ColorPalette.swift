import CTerminal
import WinchScreen

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
