@testable import TerminalEmulator
@testable import WinchScreen
@testable import WinchTerminal

extension TerminalScreen {
    /// A screen that may show everything that the dashboard writes. ncurses begins with the 80 columns and 24 rows of terminfo,
    /// so sequences for that size are no faults.
    init(columns: Int, rows: Int) {
        self.init(WindowSize(columns: 80, rows: 24), isUTF8: true, mayCall: true, width: CharacterWidth.columns)
        resize(columns: columns, rows: rows)
    }

    mutating func resize(columns: Int, rows: Int) { resize(to: WindowSize(columns: columns, rows: rows)) }

    var columns: Int { size.columns }
    var rows: Int { size.rows }
    var cursor: (column: Int, row: Int) { (column, row) }
    var isOnAlternateScreen: Bool { modes.isAlternate }

    /// The row with the blanks at its end.
    func line(_ row: Int) -> String { (0..<columns).map { grid[$0, row].text }.joined() }

    var contents: String { (0..<rows).map(line).joined(separator: "\n") }

    /// The differences between the screen and the canvas, as messages; empty if there are none.
    func differences(from canvas: Canvas, depth: ColorDepth = .direct) -> [String] {
        guard canvas.columns == columns, canvas.rows == rows else {
            return ["\(columns)x\(rows), canvas \(canvas.columns)x\(canvas.rows)"]
        }
        var differences: [String] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let (place, cell) = (grid[column, row], canvas[column, row])
                let text = place.text.isEmpty ? nil : place.text
                let style = place.pen.style
                let wanted = cell.text.map(String.init)
                if text != wanted { differences.append("\(column),\(row): \(text ?? "tail"), not \(wanted ?? "tail")") }
                if text != nil, Self.look(style, depth, text) != Self.look(cell.style, depth, wanted) {
                    differences.append("\(column),\(row): \(style), not \(cell.style)")
                }
            }
        }
        return differences
    }

    /// The visible part of a style: a blank has no foreground.
    private static func look(_ style: Style, _ depth: ColorDepth, _ text: String?) -> [Int32] {
        let isBlank = text == " " && !style.isReverse && !style.isUnderlined
        let background = number(style.background, depth)
        if isBlank { return [background] }
        return [
            background, number(style.foreground, depth), style.isBold ? 1 : 0, style.isDim ? 1 : 0,
            style.isReverse ? 1 : 0, style.isUnderlined ? 1 : 0,
        ]
    }

    private static func number(_ color: Color, _ depth: ColorDepth) -> Int32 {
        // A colour that was sent as one of 256 numbers is reported as such a number.
        if case .ansi(let index) = color, depth == .indexed256 { return Int32(index) }
        return color.number(at: depth)
    }
}

extension TerminalPen {
    fileprivate var style: Style {
        Style(
            foreground: Self.color(foreground), background: Self.color(background), isBold: attributes.contains(1),
            isDim: attributes.contains(2), isReverse: attributes.contains(7), isUnderlined: attributes.contains(4))
    }

    private static func color(_ number: Int) -> Color {
        switch number {
        case ..<0: .standard
        case ..<256: .ansi(UInt8(number))
        default: .rgb(red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
        }
    }
}
