import CTerminal
import WinchScreen

/// Draws a canvas on the terminal with ncurses: changed rows are written to ncurses, ncurses finds the changed cells,
/// and the bytes of the whole frame are returned in one piece.
///
/// Used on one thread; only one may exist at a time in a process, because ncurses has global state.
final class CursesDriver {
    private let screen: OpaquePointer
    private var palette: ColorPalette
    /// What the terminal shows; `nil` when that is not known.
    private var shown: Canvas?
    private var size: ScreenSize
    private let isConsole: Bool

    /// - Parameters:
    ///   - term: a name that terminfo knows.
    ///   - isConsole: characters that the fonts of a Linux console lack are replaced; `nil`: decided by `term`.
    init(term: String, size: ScreenSize, depth: ColorDepth, isConsole: Bool? = nil) throws(TerminalFailure) {
        guard let screen = winch_screen_open(term, Int32(size.rows), Self.columns(size)) else {
            throw .unknownTerminal(term)
        }
        self.screen = screen
        self.size = size
        self.isConsole = isConsole ?? ConsoleFallback.isNeeded(term: term)
        let isColored = depth != .mono && winch_screen_has_default_colors(screen)
        palette = ColorPalette(
            depth: isColored ? depth : .mono, pairs: isColored ? Int(winch_screen_pairs(screen)) : 0)
    }

    /// The columns for ncurses, at least two. If a terminal cannot switch off its automatic wrap, ncurses writes the
    /// last cell through the cell before it, which in a window of one column is outside of its memory. The second
    /// column stays blank, so that nothing is written there.
    private static func columns(_ size: ScreenSize) -> Int32 { Int32(max(2, size.columns)) }

    deinit {
        winch_screen_close(screen)
    }

    /// The bytes that make the terminal show `canvas`; none if it does already.
    func draw(_ canvas: Canvas) -> [UInt8] {
        guard canvas != shown else { return [] }
        if !write(canvas, comparing: shown) {
            palette.startOver()
            // One frame needs more pairs than the terminal has: the remaining cells get the terminal's default
            // colours.
            _ = write(canvas, comparing: nil)
        }
        if let cursor = canvas.cursor, cursor.row < size.rows, cursor.column < size.columns {
            winch_screen_show_cursor(screen, Int32(cursor.row), Int32(cursor.column))
        } else {
            winch_screen_hide_cursor(screen)
        }
        shown = canvas
        winch_screen_flush(screen)
        return takeBytes()
    }

    /// Called when the content of the terminal is unknown: the next frame writes everything.
    func invalidate() {
        shown = nil
        winch_screen_invalidate(screen)
    }

    func resize(to size: ScreenSize) {
        self.size = size
        shown = nil
        winch_screen_resize(screen, Int32(size.rows), Self.columns(size))
    }

    /// The bytes that leave the screen; the next frame enters it again.
    func end() -> [UInt8] {
        winch_screen_end(screen)
        invalidate()
        return takeBytes()
    }

    /// Writes the changed rows to ncurses. False if the palette was full, so that some cells have wrong colours.
    private func write(_ canvas: Canvas, comparing old: Canvas?) -> Bool {
        let old = old?.columns == canvas.columns && old?.rows == canvas.rows ? old : nil
        if old == nil { winch_screen_erase(screen) }
        var isComplete = true
        for row in 0..<min(canvas.rows, size.rows) {
            if let old, old.line(row) == canvas.line(row) { continue }
            isComplete = write(canvas.line(row), row: row) && isComplete
        }
        return isComplete
    }

    private func write(_ line: ArraySlice<Cell>, row: Int) -> Bool {
        var isComplete = true
        var column = 0
        let end = min(line.count, size.columns)
        while column < end {
            let cell = line[line.startIndex + column]
            let room = column + 1 < end && line[line.startIndex + column + 1].content.isEmpty ? 2 : 1
            let glyph = terminalCell(for: cell, room: room)
            let pen = palette.pen(for: cell.style)
            isComplete = isComplete && pen != nil
            for (number, pair) in palette.takeFresh() {
                _ = winch_screen_define_pair(screen, number, pair.foreground, pair.background)
            }
            put(glyph, row: row, column: column, pen: pen ?? CursesStyle())
            column += glyph.columns
        }
        return isComplete
    }

    private func terminalCell(for cell: Cell, room: Int) -> TerminalCell {
        guard let base = cell.content.base else { return .space }
        return TerminalCell(isConsole ? ConsoleFallback.of(base) : base, marks: cell.content.marks, room: room)
    }

    private func put(_ glyph: TerminalCell, row: Int, column: Int, pen: CursesStyle) {
        func put(_ scalars: UnsafePointer<UInt32>?, _ count: Int) {
            winch_screen_put(screen, Int32(row), Int32(column), scalars, count, pen.attributes, pen.pair)
        }
        if glyph.marks.isEmpty {
            withUnsafePointer(to: glyph.base) { put($0, 1) }
        } else {
            ([glyph.base] + glyph.marks).withUnsafeBufferPointer { put($0.baseAddress, $0.count) }
        }
    }

    private func takeBytes() -> [UInt8] {
        let count = winch_screen_pending(screen)
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, taken in
            taken = min(winch_screen_take(screen, buffer.baseAddress, count), count)
        }
    }
}

/// The content of one cell of the terminal: a base scalar, and up to four combining scalars, which take no columns.
struct TerminalCell: Hashable, Sendable {
    let base: UInt32
    /// Combining marks; nearly always none.
    let marks: [UInt32]
    /// 1 or 2.
    let columns: Int

    /// The most marks that ncurses keeps in a cell.
    static let mostMarks = 4
    static let unknown = TerminalCell(base: PlainText.replacement.value)
    static let space = TerminalCell(base: 0x20)

    private init(base: UInt32) {
        (self.base, marks, columns) = (base, [], 1)
    }

    /// - Parameter room: 1 or 2, the columns that the canvas reserves for it. A character that the terminal would draw
    ///   wider is replaced, since otherwise every cell right of it would be shifted.
    init(_ first: Unicode.Scalar, marks scalars: [Unicode.Scalar], room: Int) {
        let columns = first.value < 0x7F ? 1 : Int(winch_columns(first.value))
        guard PlainText.isShowable(first), columns > 0, columns <= room else {
            self = .unknown
            return
        }
        var marks: [UInt32] = []
        // Joiners and variation selectors change the base's glyph, and the width of the result is unknown: the
        // character is cut before them.
        for mark in scalars.prefix(Self.mostMarks) {
            guard Self.isMark(mark), winch_columns(mark.value) == 0 else { break }
            marks.append(mark.value)
        }
        (self.base, self.marks, self.columns) = (first.value, marks, columns)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // The caller tests the width instead of the category: the second half of a Korean syllable is a letter.
        PlainText.isShowable(scalar) && scalar.properties.generalCategory != .format
            && !scalar.properties.isVariationSelector
    }
}

/// Replaces characters on a Linux console, whose fonts have the letters and blocks of code page 437 and little else:
/// other characters would be drawn as a question mark or not at all.
enum ConsoleFallback {
    static func isNeeded(term: String) -> Bool { term == "linux" || term.hasPrefix("linux-") }

    /// The replacement, one column wide like the character. The character itself if the fonts have it or if nothing
    /// is similar.
    static func of(_ character: Unicode.Scalar) -> Unicode.Scalar {
        character.isASCII ? character : replacements[character] ?? character
    }

    private static let replacements: [Unicode.Scalar: Unicode.Scalar] = {
        var replacements: [Unicode.Scalar: Unicode.Scalar] = [
            "…": "~", "▸": "►", "◆": "♦", "✓": "√", "✗": "x", "–": "-", "‖": "║", "↻": "↔", "⏎": "¶", "━": "═",
            "╸": "═", "╺": "═", "╶": "─", "╌": "░", "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘", "▁": "_", "\u{FFFD}": "?",
        ]
        // Of the partial blocks the fonts have only halves.
        for character in "▏▎▍▋▊▉".unicodeScalars { replacements[character] = "▌" }
        for character in "▂▃▅".unicodeScalars { replacements[character] = "▄" }
        for character in "▆▇".unicodeScalars { replacements[character] = "█" }
        return replacements
    }()
}

/// The library that draws the screen, for `winch info`.
package enum TerminalInfo {
    package static var version: String { String(cString: winch_screen_version()) }
}
