import WinchScreen

/// A small emulation of xterm: takes bytes and keeps the content of the screen. Everything that it does not
/// understand is added to `complaints`, so that a test finds what would go wrong on a real terminal.
struct VirtualTerminal {
    struct Place: Hashable {
        var text = " "
        var style = Style.plain
        /// The cell is the right half of the wide character before it.
        var isTail = false
    }

    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var grid: [[Place]]
    private(set) var cursor = (column: 0, row: 0)
    private var saved = (column: 0, row: 0)
    private(set) var modes: Set<Int> = [7, 25]
    private(set) var complaints: [String] = []
    private var style = Style.plain
    private var wrapsNext = false
    private var scroll: ClosedRange<Int>
    private var parser = Parser.ground
    private var text: [UInt8] = []

    private enum Parser {
        case ground, escape, charset, control([UInt8]), words(sawEscape: Bool)
    }

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        scroll = 0...(rows - 1)
        grid = Array(repeating: Array(repeating: Place(), count: columns), count: rows)
    }

    var isOnAlternateScreen: Bool { modes.contains(1049) }

    func line(_ row: Int) -> String {
        grid[row].filter { !$0.isTail }.map(\.text).joined()
    }

    var contents: String { (0..<rows).map(line).joined(separator: "\n") }

    /// Keeps the upper left corner, as terminals do; the program must redraw the whole screen.
    mutating func resize(columns: Int, rows: Int) {
        let old = self
        self.columns = columns
        self.rows = rows
        scroll = 0...(rows - 1)
        grid = (0..<rows).map { row in
            (0..<columns).map { row < old.rows && $0 < old.columns ? old.grid[row][$0] : Place() }
        }
        cursor = (min(cursor.column, columns - 1), min(cursor.row, rows - 1))
        wrapsNext = false
    }

    mutating func feed(_ bytes: [UInt8]) {
        for byte in bytes { take(byte) }
        if case .ground = parser { printText() }
    }

    private mutating func take(_ byte: UInt8) {
        switch parser {
        case .ground where byte >= 0x20 && byte != 0x7F: text.append(byte)
        case .ground:
            printText()
            control(byte)
        case .escape: escape(byte)
        case .charset: parser = .ground
        case .words(let sawEscape):
            let isEnd = byte == 7 || (sawEscape && byte == UInt8(ascii: "\\"))
            parser = isEnd ? .ground : .words(sawEscape: byte == 0x1B)
        case .control(let body):
            guard (0x40...0x7E).contains(byte) else {
                parser = .control(body + [byte])
                return
            }
            parser = .ground
            perform(body, final: Character(Unicode.Scalar(byte)))
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x1B: parser = .escape
        case 0x0D: move(to: (0, cursor.row))
        case 0x0A: lineFeed()
        case 0x08: move(to: (cursor.column - 1, cursor.row))
        // Ignored: BEL, NUL, and SI, which selects the first character set; no other one is ever selected.
        case 0x07, 0x00, 0x0F: break
        default: complaints.append("control \(byte)")
        }
    }

    private mutating func escape(_ byte: UInt8) {
        parser = .ground
        switch byte {
        case UInt8(ascii: "["): parser = .control([])
        case UInt8(ascii: "]"): parser = .words(sawEscape: false)
        case UInt8(ascii: "("), UInt8(ascii: ")"): parser = .charset
        case UInt8(ascii: "="), UInt8(ascii: ">"): break
        case UInt8(ascii: "7"): saved = cursor
        case UInt8(ascii: "8"): move(to: saved)
        default: complaints.append("ESC \(byte)")
        }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if cursor.row == scroll.upperBound {
            grid.remove(at: scroll.lowerBound)
            grid.insert(Array(repeating: blank, count: columns), at: scroll.upperBound)
        } else if cursor.row < rows - 1 {
            cursor.row += 1
        }
    }

    private mutating func move(to place: (column: Int, row: Int)) {
        cursor = (min(max(place.column, 0), columns - 1), min(max(place.row, 0), rows - 1))
        wrapsNext = false
    }

    /// An erased cell keeps the current background (`bce`).
    private var blank: Place { Place(style: Style(background: style.background)) }

    private mutating func printText() {
        defer { text = [] }
        guard !text.isEmpty else { return }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { put(scalar) }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(scalar)
        if width == 0 {
            var column = wrapsNext ? cursor.column : max(0, cursor.column - 1)
            if grid[cursor.row][column].isTail { column -= 1 }
            grid[cursor.row][column].text.unicodeScalars.append(scalar)
            return
        }
        if wrapsNext || cursor.column + width > columns {
            cursor.column = 0
            lineFeed()
        }
        for column in cursor.column..<cursor.column + width { clear(column, cursor.row) }
        grid[cursor.row][cursor.column] = Place(text: String(scalar), style: style)
        if width == 2 { grid[cursor.row][cursor.column + 1] = Place(text: "", style: style, isTail: true) }
        wrapsNext = cursor.column + width == columns
        cursor.column = min(cursor.column + width, columns - 1)
    }

    /// Erases a cell, and the other half if it is one half of a wide character.
    private mutating func clear(_ column: Int, _ row: Int) {
        if grid[row][column].isTail, column > 0 { grid[row][column - 1] = blank }
        if column + 1 < columns, grid[row][column + 1].isTail { grid[row][column + 1] = blank }
        grid[row][column] = blank
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x0300...0x036F, 0x1160...0x11FF: 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }

    private mutating func perform(_ body: [UInt8], final: Character) {
        if body.first == UInt8(ascii: "?") {
            let numbers = Self.numbers(body.dropFirst())
            switch final {
            case "h": modes.formUnion(numbers)
            case "l": modes.subtract(numbers)
            // The cursor's shape on the Linux console.
            case "c": break
            default: complaints.append("CSI ? \(final)")
            }
            return
        }
        let numbers = Self.numbers(body[...])
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "m": select(numbers)
        case "H", "f": move(to: (max(1, numbers.count > 1 ? numbers[1] : 1) - 1, count - 1))
        case "A": move(to: (cursor.column, cursor.row - count))
        case "B": move(to: (cursor.column, cursor.row + count))
        case "C": move(to: (cursor.column + count, cursor.row))
        case "D": move(to: (cursor.column - count, cursor.row))
        case "G": move(to: (count - 1, cursor.row))
        case "d": move(to: (cursor.column, count - 1))
        case "J": eraseScreen(numbers.first ?? 0)
        case "K": eraseLine(numbers.first ?? 0)
        case "X": for column in cursor.column..<min(columns, cursor.column + count) { clear(column, cursor.row) }
        case "b":
            let last = grid[cursor.row][max(0, wrapsNext ? cursor.column : cursor.column - 1)].text
            for _ in 0..<count { last.unicodeScalars.first.map { put($0) } }
        case "r":
            let bottom = numbers.count > 1 ? numbers[1] : rows
            scroll = min(count - 1, rows - 1)...max(0, min(bottom - 1, rows - 1))
            move(to: (0, 0))
        case "t": break  // saves and restores the window title
        case "h", "l": if numbers != [4] { complaints.append("mode \(numbers)") }
        default: complaints.append("CSI \(String(decoding: body, as: UTF8.self)) \(final)")
        }
    }

    private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
        body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    }

    private mutating func eraseScreen(_ part: Int) {
        switch part {
        case 0:
            eraseLine(0)
            for row in cursor.row + 1..<max(rows, cursor.row + 1) {
                grid[row] = Array(repeating: blank, count: columns)
            }
        case 2: grid = Array(repeating: Array(repeating: blank, count: columns), count: rows)
        default: complaints.append("erase \(part)")
        }
    }

    private mutating func eraseLine(_ part: Int) {
        let range = part == 0 ? cursor.column..<columns : part == 1 ? 0..<cursor.column + 1 : 0..<columns
        for column in range { clear(column, cursor.row) }
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = numbers.isEmpty ? [0] : numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: style = .plain
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 4: style.isUnderlined = true
            case 7: style.isReverse = true
            case 22: (style.isBold, style.isDim) = (false, false)
            case 24: style.isUnderlined = false
            case 27: style.isReverse = false
            case 30...37: style.foreground = .ansi(UInt8(number - 30))
            case 40...47: style.background = .ansi(UInt8(number - 40))
            case 90...97: style.foreground = .ansi(UInt8(number - 82))
            case 100...107: style.background = .ansi(UInt8(number - 92))
            case 38: Self.color(&rest).map { style.foreground = $0 }
            case 48: Self.color(&rest).map { style.background = $0 }
            case 39: style.foreground = .standard
            case 49: style.background = .standard
            default: complaints.append("SGR \(number)")
            }
        }
    }

    private static func color(_ rest: inout ArraySlice<Int>) -> Color? {
        switch rest.popFirst() {
        case 5: return rest.popFirst().map { .ansi(UInt8(truncatingIfNeeded: $0)) }
        case 2:
            let parts = rest.prefix(3).map { UInt8(truncatingIfNeeded: $0) }
            rest = rest.dropFirst(3)
            return parts.count == 3 ? .rgb(red: parts[0], green: parts[1], blue: parts[2]) : nil
        default: return nil
        }
    }
}
