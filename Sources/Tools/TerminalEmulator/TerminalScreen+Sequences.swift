/// What control sequences do.
extension TerminalScreen {
    mutating func execute(_ sequence: ControlSequence) {
        let count = sequence.number(0)
        switch sequence.name {
        case "H", "f": jump(column: sequence.number(1), row: count)
        case "G": jump(column: count)
        case "d": jump(row: count)
        case "A": move(to: column, row - count)
        case "B": move(to: column, row + count)
        case "C": move(to: column + count, row)
        case "D": move(to: column - count, row)
        case "Z": move(to: max(0, (column - 1) / 8 * 8), row)
        case "J": eraseScreen(sequence)
        case "K": eraseLine(sequence)
        case "X": grid.erase(column..<column + count, row: row, pen: pen)
        case "@": grid.shift(row, from: column, by: -count, pen: pen)
        case "P": grid.shift(row, from: column, by: count, pen: pen)
        case "L": grid.scroll(row..<max(row, margins.upperBound), by: -count, pen: pen)
        case "M": grid.scroll(row..<max(row, margins.upperBound), by: count, pen: pen)
        case "S": grid.scroll(margins, by: count, pen: pen)
        case "T": grid.scroll(margins, by: -count, pen: pen)
        case "b": for _ in 0..<min(count, 1000) { if let last { show(last) } }
        case "m": if !pen.apply(sequence) { fault("\(sequence)") }
        case "r": setMargins(sequence)
        case "t": keepTitle(sequence)
        case "h", "l": setMode(sequence)
        case "?h", "?l": setPrivateMode(sequence)
        case "?c": modes.cursorShape = sequence.number(0, else: 0)
        default: fault("\(sequence)")
        }
    }

    private mutating func eraseLine(_ sequence: ControlSequence) {
        switch sequence.number(0, else: 0) {
        case 0: grid.erase(column..<size.columns, row: row, pen: pen)
        case 1: grid.erase(0..<column + 1, row: row, pen: pen)
        case 2: grid.erase(0..<size.columns, row: row, pen: pen)
        default: fault("\(sequence)")
        }
    }

    private mutating func eraseScreen(_ sequence: ControlSequence) {
        let rows: Range<Int>
        switch sequence.number(0, else: 0) {
        case 0:
            grid.erase(column..<size.columns, row: row, pen: pen)
            rows = row + 1..<size.rows
        case 1:
            grid.erase(0..<column + 1, row: row, pen: pen)
            rows = 0..<row
        case 2: rows = 0..<size.rows
        default: return fault("\(sequence)")
        }
        for row in rows { grid.erase(0..<size.columns, row: row, pen: pen) }
    }

    private mutating func setMargins(_ sequence: ControlSequence) {
        let (top, bottom) = (sequence.number(0), sequence.number(1, else: size.rows))
        guard top <= bottom, bottom <= allowed.rows else { return fault("\(sequence) of \(allowed)") }
        margins = min(top - 1, size.rows - 1)..<min(bottom, size.rows)
        move(to: 0, 0)
    }

    private mutating func keepTitle(_ sequence: ControlSequence) {
        switch sequence.numbers.first {
        case 22: modes.keptTitles += 1
        case 23:
            modes.keptTitles -= 1
            if modes.keptTitles < 0 { fault("a title brought back that was not kept") }
        default: fault("\(sequence)")
        }
    }

    private mutating func setMode(_ sequence: ControlSequence) {
        for number in sequence.numbers {
            switch number {
            case 4: modes.inserts = sequence.name == "h"
            // Cursor blinking, as the terminfo entries of tmux and screen contain it.
            case 34: break
            default: fault("\(sequence)")
            }
        }
    }

    private mutating func setPrivateMode(_ sequence: ControlSequence) {
        let isOn = sequence.name == "?h"
        for number in sequence.numbers {
            guard let number, modes.set(number, isOn) else { return fault("\(sequence)") }
            guard [47, 1047, 1049].contains(number) else { continue }
            if isOn { saved = (column, row) } else { move(to: saved.column, saved.row) }
            grid = CellGrid(size)
        }
    }
}
