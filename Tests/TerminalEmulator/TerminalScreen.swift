/// A strict terminal emulator: interprets a program's output, holds the screen and the modes, and reports output that a
/// correct program never writes. Pure.
package struct TerminalScreen: Sendable {
    /// What a program may write.
    package enum AllowedOutput: Sendable, Equatable {
        /// Cursor movement, colours and everything else that a dashboard needs.
        case screen
        /// Lines only; `copies`: and the sequence that copies to the clipboard.
        case lines(copies: Bool)
    }

    package internal(set) var grid: CellGrid
    package internal(set) var modes = TerminalModes()
    var pen = TerminalPen()
    /// Output that a correct program never writes; the first `mostFaults` of it.
    package private(set) var faults: [String] = []
    package private(set) var bytesTaken = 0
    /// The program may draw for any size up to this: the largest of the sizes that it may still take for the present
    /// one.
    private(set) var allowed: WindowSize
    private var tokenizer: TerminalTokenizer
    var column = 0
    var row = 0
    /// The last column was written: the next character would begin a line.
    private var isAtEdge = false
    var margins: Range<Int>
    var saved = (column: 0, row: 0)
    var last: Unicode.Scalar?
    private var recent: [UInt8] = []
    private var allowsCutSequence = false
    private let allowedOutput: AllowedOutput
    private let mayCall: Bool
    private let width: @Sendable (Unicode.Scalar) -> Int
    private static let mostFaults = 5

    /// - Parameters:
    ///   - mayCall: BEL and notifications were asked for.
    ///   - width: columns of a character; 0 for marks.
    package init(
        _ size: WindowSize, isUTF8: Bool, allowedOutput: AllowedOutput = .screen, mayCall: Bool = false,
        width: @escaping @Sendable (Unicode.Scalar) -> Int = { _ in 1 }
    ) {
        grid = CellGrid(size)
        margins = 0..<size.rows
        allowed = size
        tokenizer = TerminalTokenizer(isUTF8: isUTF8)
        (self.allowedOutput, self.mayCall, self.width) = (allowedOutput, mayCall, width)
    }

    var size: WindowSize { grid.size }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            bytesTaken += 1
            recent.append(byte)
            if recent.count > 160 { recent.removeFirst(80) }
            for token in tokenizer.take(byte) { take(token) }
        }
    }

    /// Changes the window's size; until `knowsSize` the program may still draw for an earlier one.
    package mutating func resize(to new: WindowSize) {
        allowed = allowed.union(new)
        grid.resize(to: new)
        margins = 0..<new.rows
        (column, row) = (min(column, new.columns - 1), min(row, new.rows - 1))
        isAtEdge = false
    }

    /// From now on drawing outside the window is a fault.
    package mutating func knowsSize() { allowed = size }

    private var isSizeKnown: Bool { allowed == size }

    /// The program is killed, maybe in the middle of a sequence; the first byte of the next program may interrupt that.
    package mutating func writerWasKilled() { allowsCutSequence = true }

    /// What is not as in a fresh terminal, now that the program has gone or is stopped.
    package var leftovers: [String] {
        var found = modes.leftovers
        if tokenizer.isOpen { found.append("an unfinished sequence") }
        if pen != TerminalPen() { found.append("colours or attributes \(pen)") }
        if margins != 0..<size.rows { found.append("margins \(margins)") }
        return found
    }

    mutating func fault(_ words: String) {
        guard faults.count < Self.mostFaults else { return }
        faults.append("\(words) (byte \(bytesTaken), after \(ShownBytes.text(recent.suffix(60))))")
    }

    // MARK: - Tokens

    private mutating func take(_ token: TerminalToken) {
        if case .lines(let copies) = allowedOutput {
            switch token {
            case .escape, .sequence: return fault("an escape sequence among lines")
            case .command(let words) where !copies || !words.hasPrefix("52;"): return fault("OSC among lines")
            default: break
            }
        }
        switch token {
        case .character(let scalar): show(scalar)
        case .control(let byte): execute(byte)
        case .escape(let words): execute(words)
        case .sequence(let sequence): execute(sequence)
        case .command(let words):
            if !TerminalCommand.isKnown(words, mayCall: mayCall) { fault("OSC \(words.prefix(60))") }
        case .broken where allowsCutSequence: allowsCutSequence = false
        case .broken(let reason): fault(reason)
        }
    }

    mutating func show(_ scalar: Unicode.Scalar) {
        guard Self.isHarmless(scalar) else {
            return fault("U+\(String(scalar.value, radix: 16)), which hides or turns text")
        }
        let columns = width(scalar)
        guard columns > 0 else { return mark(scalar) }
        if modes.wraps, isAtEdge || column + columns > size.columns { wrap() }
        if modes.inserts { grid.shift(row, from: column, by: -columns, pen: pen) }
        let place = min(column, size.columns - 1)
        grid[place, row] = .init(text: String(scalar), pen: pen, isLineDrawing: modes.usesLineDrawing)
        if columns == 2, place + 1 < size.columns {
            grid[place + 1, row] = .init(text: " ", pen: pen)
            grid.cut(place + 1, row)
        }
        last = scalar
        isAtEdge = place + columns >= size.columns
        column = min(place + columns, size.columns - 1)
    }

    /// False for control characters, and for format characters, which hide or reorder text; the joiners are allowed.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }

    /// A combining mark belongs to the character before the cursor.
    private mutating func mark(_ scalar: Unicode.Scalar) {
        guard column > 0 || isAtEdge else {
            if allowedOutput == .screen { fault("a mark at the beginning of a line") }
            return
        }
        var place = isAtEdge ? column : column - 1
        if grid[place, row].text.isEmpty, place > 0 { place -= 1 }
        grid.add(scalar, place, row)
    }

    private mutating func wrap() {
        if modes.isTaken, isSizeKnown { fault("text beyond the right edge") }
        isAtEdge = false
        column = 0
        lineFeed()
    }

    private mutating func lineFeed() {
        isAtEdge = false
        if row == margins.upperBound - 1 {
            if modes.isTaken, isSizeKnown, margins == 0..<size.rows { fault("the screen scrolls") }
            grid.scroll(margins, by: 1, pen: pen)
        } else {
            row = min(row + 1, size.rows - 1)
        }
    }

    private mutating func execute(_ byte: UInt8) {
        switch byte {
        case 0x07: if !mayCall { fault("BEL") }
        case 0x08: move(to: column - 1, row)
        case 0x09: move(to: (column / 8 + 1) * 8, row)
        case 0x0A: lineFeed()
        case 0x0D: move(to: 0, row)
        case 0x0E where allowedOutput == .screen: modes.isShifted = true
        case 0x0F where allowedOutput == .screen: modes.isShifted = false
        // CAN: ends a sequence that another writer may have left open.
        case 0x18 where allowedOutput == .screen: break
        default: fault("control 0x\(String(byte, radix: 16))")
        }
    }

    private mutating func execute(_ escape: String) {
        switch escape {
        case "(B": modes.draws = false
        case "(0": modes.draws = true
        // The character set that SO selects; programs that use SO choose it once.
        case ")0", ")B": break
        case "=": modes.hasKeypad = true
        case ">": modes.hasKeypad = false
        case "7": saved = (column, row)
        case "8": move(to: saved.column, saved.row)
        case "D": lineFeed()
        case "M":
            if row == margins.lowerBound {
                grid.scroll(margins, by: -1, pen: pen)
            } else {
                move(to: column, row - 1)
            }
        default: fault("ESC \(escape)")
        }
    }

    mutating func move(to column: Int, _ row: Int) {
        self.column = min(max(column, 0), size.columns - 1)
        self.row = min(max(row, 0), size.rows - 1)
        isAtEdge = false
    }

    /// As `move`, for positions in a sequence, which count from 1.
    mutating func jump(column: Int? = nil, row: Int? = nil) {
        if let column, column > allowed.columns { fault("column \(column) of \(allowed)") }
        if let row, row > allowed.rows { fault("row \(row) of \(allowed)") }
        move(to: column.map { $0 - 1 } ?? self.column, row.map { $0 - 1 } ?? self.row)
    }
}

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
        let parts = [column..<size.columns, 0..<column + 1, 0..<size.columns]
        let number = sequence.number(0, else: 0)
        if number < parts.count { grid.erase(parts[number], row: row, pen: pen) } else { fault("\(sequence)") }
    }

    private mutating func eraseScreen(_ sequence: ControlSequence) {
        eraseLine(sequence)
        let parts = [row + 1..<size.rows, 0..<row, 0..<size.rows]
        let number = sequence.number(0, else: 0)
        guard number < parts.count else { return }
        for row in parts[number] { grid.erase(0..<size.columns, row: row, pen: pen) }
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

/// The OSC commands that Winch writes: titles, taskbar, notifications, clipboard, palette. Their texts are Winch's own.
enum TerminalCommand {
    static func isKnown(_ words: String, mayCall: Bool) -> Bool {
        let parts = words.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        let rest = words.drop { $0 != ";" }.dropFirst()
        switch parts.first {
        case "0": return isOwn(rest)
        // Resets the palette; ncurses writes it when it returns to the screen.
        case "104": return parts.count == 1
        case "9" where rest.hasPrefix("4;"):
            let numbers = rest.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 3, let state = numbers[1], let percent = numbers[2] else { return false }
            return (0...4).contains(state) && (0...100).contains(percent)
        case "9": return mayCall && isOwn(rest)
        case "777": return mayCall && rest.hasPrefix("notify;winch;") && isOwn(rest.dropFirst("notify;winch;".count))
        case "52": return parts.count == 3 && parts[1] == "c" && parts[2].allSatisfy(isBase64)
        default: return false
        }
    }

    /// The text contains nothing that comes from outside, such as file names.
    private static func isOwn(_ words: Substring) -> Bool {
        words.hasPrefix("winch")
            && words.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":%/, ".contains($0)) }
    }

    private static func isBase64(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=".contains(character))
    }
}

/// Bytes of a terminal's input or output in a message: printable ASCII as it is, other bytes as `<1b>`.
package enum ShownBytes {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            guard !(0x21...0x7E).contains(byte) else { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "<0" : "<") + String(byte, radix: 16) + ">"
        }.joined()
    }
}
