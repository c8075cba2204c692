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
    /// Number of BEL characters.
    private(set) var calls = 0
    /// The program may draw for any size up to this: the largest of the sizes that it may still take for the present one.
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
        guard PermittedCharacters.isHarmless(scalar) else {
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
        case 0x07:
            calls += 1
            if !mayCall { fault("BEL") }
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
