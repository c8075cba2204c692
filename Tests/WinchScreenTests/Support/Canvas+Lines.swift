@testable import WinchScreen

extension Canvas {
    /// The text of the canvas without styles; blanks at line ends are removed.
    var lines: [String] {
        (0..<rows).map { row in
            var text = ""
            for cell in line(row) { if let character = cell.text { text.append(character) } }
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    var text: String { lines.joined(separator: "\n") }

    /// The style of the first cell of `needle` in a row; `nil` if the row does not contain it.
    func style(of needle: String, inRow row: Int) -> Style? {
        let cells = Array(line(row))
        let wanted = needle.map(Optional.some)
        return cells.indices.first { start in
            start + wanted.count <= cells.count && cells[start..<start + wanted.count].map(\.text) == wanted
        }.map { cells[$0].style }
    }
}
