import WinchScreen

@testable import WinchTerminal

extension VirtualTerminal {
    /// The differences between the screen and the canvas, as messages; empty if there are none.
    func differences(from canvas: Canvas, depth: ColorDepth = .direct) -> [String] {
        guard canvas.columns == columns, canvas.rows == rows else {
            return ["\(columns)x\(rows), canvas \(canvas.columns)x\(canvas.rows)"]
        }
        var differences: [String] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let (place, cell) = (grid[row][column], canvas[column, row])
                let text = place.isTail ? nil : place.text
                let wanted = cell.text.map(String.init)
                if text != wanted { differences.append("\(column),\(row): \(text ?? "tail"), not \(wanted ?? "tail")") }
                if !place.isTail, Self.look(place.style, depth, text) != Self.look(cell.style, depth, wanted) {
                    differences.append("\(column),\(row): \(place.style), not \(cell.style)")
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
