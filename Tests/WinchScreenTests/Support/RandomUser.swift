@testable import WinchModel
@testable import WinchScreen

/// Sends random events: keys, pastes, sizes, inconsistent updates, and clocks that jump.
struct RandomUser {
    var sitting: Sitting
    var random: SplitMix64
    var rows: [TransferSnapshot] = []
    var largest = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let look = Appearance(
            theme: [.standard, .rainbow, .mono].randomElement(using: &random) ?? .standard,
            isASCII: Bool.random(using: &random), isAnimated: Int.random(in: 0..<4, using: &random) > 0)
        sitting = Sitting([], look: look, title: "random \u{1B}[2J 猿", quitsWhenSettled: Bool.random(using: &random))
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<47: sitting.press(key())
        case 47..<53: sitting.press(.mouse(mouse()))
        case 53..<55: filter()
        case 55..<60: resize()
        case 60..<80: update()
        case 80..<94:
            sitting.wait(Double.random(in: 0..<1, using: &random))
            sitting.handle(.tick)
        case 95: sitting.now = .at(Double.random(in: -900..<1e6, using: &random))
        case 96: sitting.handle(.notice(text()))
        case 94: paths()
        case 97: sitting.handle(.interrupt)
        case 98: sitting.handle(.redraw)
        default: sitting = Sitting(rows, columns: 80, lines: 24, look: sitting.dashboard.look)
        }
    }

    private mutating func key() -> Key {
        let known = KeyMap.standard.bindings.flatMap(\.keys)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0..<14: known.randomElement(using: &random) ?? .escape
        case 14: .paste(text())
        case 15: .character(text().first ?? "y")
        case 16: ["y", "n", "a", .enter, .escape].randomElement(using: &random) ?? "y"
        case 17: [.left, .right, .backspace, .delete, .tab, .function(9)].randomElement(using: &random) ?? .tab
        case 18: .control(["a", "e", "u", "w", "k", "h", "d", "x"].randomElement(using: &random) ?? "a")
        default: .escape
        }
    }

    private mutating func mouse() -> Mouse {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .wheelUp
        case 1: .wheelDown
        default:
            .click(column: Int.random(in: -2..<130, using: &random), row: Int.random(in: -2..<45, using: &random))
        }
    }

    private mutating func filter() {
        let words = ["state:", "state:fa", "!", "host:a", "name:", "!!x", "a", "state:zzz", "東", ":"]
        sitting.press(.escape, .escape, "/")
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            sitting.type((words.randomElement(using: &random) ?? "") + " ")
        }
        if Bool.random(using: &random) { sitting.press(.enter) }
    }

    /// Completes a path, or sends a listing that was not requested.
    private mutating func paths() {
        let typed = text().filter { !$0.isNewline }
        if Bool.random(using: &random) {
            sitting.press(.escape, .escape, "a", "@", .paste(typed), .tab)
        }
        let names = (0..<Int.random(in: 0..<30, using: &random)).map { "\($0)" + EscapedName.escaping(text()) }
        sitting.handle(
            .paths(
                PathListing(
                    typed: typed, names: names, common: "",
                    fault: Int.random(in: 0..<5, using: &random) == 0 ? text() : nil)))
        if Bool.random(using: &random) { sitting.press(.tab, .tab, .backTab) }
    }

    private mutating func resize() {
        let sizes = [(80, 24), (120, 36), (40, 8), (39, 7), (1, 1), (0, 0), (200, 50), (-1, 5)]
        let (columns, lines) =
            switch Int.random(in: 0..<40, using: &random) {
            case 0: [(500, 200), (500, 1), (1, 200), (500, 9), (7, 200)].randomElement(using: &random) ?? (500, 200)
            case 1..<20: sizes.randomElement(using: &random) ?? (80, 24)
            default: (Int.random(in: 1...120, using: &random), Int.random(in: 1...40, using: &random))
            }
        sitting.handle(.resized(columns: columns, rows: lines))
    }
}
