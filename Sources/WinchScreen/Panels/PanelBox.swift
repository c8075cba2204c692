/// The frame and title of a panel; clears the cells that it covers.
struct PanelBox {
    let look: Appearance
    let column: Int
    let row: Int
    let columns: Int
    /// Including the two rows of the frame.
    let rows: Int

    /// The title is in the upper line at the left, the note at the right.
    func draw(on canvas: inout Canvas, title: [Run], note: [Run] = []) {
        guard columns >= 2, rows >= 2 else { return }
        let (box, style, symbols) = (look.symbols.box, look.theme.border, look.symbols)
        canvas.clear(column: column, row: row, columns: columns, rows: rows)
        canvas.mark(nil, column: column, row: row, columns: columns, rows: rows)
        let across = String(repeating: symbols.horizontal, count: columns - 2)
        canvas.write(look.text("\(box.topLeft)\(across)\(box.topRight)"), style, column: column, row: row)
        canvas.write(
            look.text("\(box.bottomLeft)\(across)\(box.bottomRight)"), style, column: column, row: row + rows - 1)
        for line in row + 1..<row + rows - 1 {
            canvas.write(look.text(String(symbols.vertical)), style, column: column, row: line)
            canvas.write(look.text(String(symbols.vertical)), style, column: column + columns - 1, row: line)
        }
        let blank = Run(look.text(" "), .plain)
        var place = column + 2
        for run in [blank] + title + [blank] {
            place = canvas.write(run.text, run.style, column: place, row: row, width: column + columns - 2 - place)
        }
        let width = note.reduce(2) { $0 + $1.text.columns }
        guard !note.isEmpty, place + width + 2 <= column + columns - 2 else { return }
        place = column + columns - 2 - width
        for run in [blank] + note + [blank] { place = canvas.write(run.text, run.style, column: place, row: row) }
    }
}

struct PanelKeysBox {
    let keys: PanelKeys
    let look: Appearance

    func draw(on canvas: inout Canvas, above footer: Int) {
        let lines = keys.lines(isASCII: look.isASCII)
        let keyWidth = (lines.map { look.text($0.keys).columns }.max() ?? 0) + 2
        let wordsWidth = lines.map { look.text($0.words).columns }.max() ?? 0
        let width = min(canvas.columns, keyWidth + wordsWidth + 4)
        let rows = min(lines.count, footer - 2)
        guard rows > 0, width > 8 else { return }
        let (column, top) = ((canvas.columns - width) / 2, max(0, (footer - rows - 2) / 2))
        canvas.mark(nil, column: 0, row: 0, columns: canvas.columns, rows: footer)
        PanelBox(look: look, column: column, row: top, columns: width, rows: rows + 2)
            .draw(on: &canvas, title: [Run(look.text(keys.title), look.theme.title)])
        for (offset, line) in lines.prefix(rows).enumerated() {
            let row = top + 1 + offset
            canvas.write(look.text(line.keys), look.theme.key, column: column + 2, row: row, width: width - 4)
            canvas.write(
                look.text(line.words), look.theme.text, column: column + 2 + keyWidth, row: row,
                width: width - 4 - keyWidth)
        }
    }
}

/// The keys of a panel, for the box that `?` opens over it.
enum PanelKeys: String, Hashable, Sendable {
    case log, settings, columns

    var title: String { "Keys of the \(rawValue)" }

    func lines(isASCII: Bool) -> [(keys: String, words: String)] {
        let (up, down) = (Key.up.name(isASCII: isASCII), Key.down.name(isASCII: isASCII))
        let (left, right) = (Key.left.name(isASCII: isASCII), Key.right.name(isASCII: isASCII))
        return switch self {
        case .log:
            [
                ("\(up) \(down) PgUp PgDn", "scroll"), ("g", "to the first line"), ("G", "to the last, and follow"),
                ("e w i d", "errors, warnings, info, debug and above"), ("/", "filter by words"),
                ("Esc", "clear the filter, then back"),
            ]
        case .columns:
            [
                ("\(up) \(down)", "choose a column"), ("Space", "show or hide it"),
                ("[ ]  K J", "move it to the left or right"), ("a", "the default columns"),
                ("W", "save look and settings to winch.conf"), ("Esc", "back"),
            ]
        case .settings:
            [
                ("\(up) \(down) PgUp PgDn", "choose a setting"), ("\(left) \(right) Space", "change its value"),
                ("Enter", "edit its value; Tab completes"), ("W", "save look and settings to winch.conf"),
                ("Esc", "back"),
            ]
        }
    }
}
