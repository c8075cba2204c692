import CTerminal
import WinchScreen

/// Turns styles into pens: finds the nearest colour the terminal has, and makes each pair of colours once.
struct ColorPalette: Sendable {
    let depth: ColorDepth
    /// Pairs that may be in use; the terminal's own limit, and ours for memory.
    let limit: Int
    private var numbers: [ColorPair: Int32] = [:]
    private var pens: [Style: Pen] = [:]
    /// Pairs made since the last `takeFresh()`.
    private var fresh: [(number: Int32, pair: ColorPair)] = []

    /// A rainbow has at most 1,530 colours; this is room for it over several backgrounds.
    static let mostPairs = 8192

    /// - Parameter pairs: how many numbers for pairs the terminal has; 0 is always its own colours.
    init(depth: ColorDepth, pairs: Int) {
        limit = min(max(pairs - 1, 0), Self.mostPairs)
        self.depth = depth
    }

    /// `nil` when no number is left for the style's colours: time to start over.
    mutating func pen(for given: Style) -> Pen? {
        if let pen = pens[given] { return pen }
        let style = visible(given)
        var attributes: UInt32 = 0
        if style.isBold { attributes |= UInt32(WINCH_BOLD) }
        if style.isDim { attributes |= UInt32(WINCH_DIM) }
        if style.isReverse { attributes |= UInt32(WINCH_REVERSE) }
        if style.isUnderlined { attributes |= UInt32(WINCH_UNDERLINE) }
        // With eight colours the bright ones are bold, as the first colour terminals had it.
        if depth == .eight, case .ansi(8...15) = style.foreground { attributes |= UInt32(WINCH_BOLD) }
        let pair = ColorPair(
            foreground: style.foreground.number(at: depth), background: style.background.number(at: depth))
        guard let number = number(of: pair) else { return nil }
        let pen = Pen(pair: number, attributes: attributes)
        pens[given] = pen
        return pen
    }

    /// With eight colours a grey would be black or white, and one of them is the background, so that the track of a bar
    /// vanished: greys are the terminal's own colour, dimmed unless they are nearly black or white themselves.
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

    /// The pairs that the terminal has to be told before the pens are used.
    mutating func takeFresh() -> [(number: Int32, pair: ColorPair)] {
        defer { fresh = [] }
        return fresh
    }

    /// Forgets every pair; whatever is on the screen has to be drawn anew.
    mutating func startOver() {
        numbers = [:]
        pens = [:]
        fresh = []
    }
}
