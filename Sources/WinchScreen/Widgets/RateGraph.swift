import WinchCore

/// A rate over time as a hill of dots with its scale, the latest second at its right end.
///
/// A second always takes the same number of dots, so that the picture moves on but nothing in it changes; only when the
/// highest second leaves does the scale change.
struct RateGraph {
    /// The mean of a second by its number; `nil` where nothing was measured.
    private let rate: (Int64) -> ByteRate?
    private let last: Int64
    private let look: Look

    /// - Returns: `nil` when nothing was measured yet.
    init?(_ history: RateHistory, look: Look) {
        guard let last = history.last else { return nil }
        self.init(last: last, look: look) { history[$0] }
    }

    /// - Parameter seconds: ascending.
    init?(_ seconds: [RateHistory.Second], look: Look) {
        guard let last = seconds.last else { return nil }
        let rates = Dictionary(seconds.map { ($0.number, $0.rate) }) { _, new in new }
        self.init(last: last.number, look: look) { rates[$0] }
    }

    private init(last: Int64, look: Look, rate: @escaping (Int64) -> ByteRate?) {
        (self.last, self.look, self.rate) = (last, look, rate)
    }

    /// Columns left of the picture for the scale: `12.3 MiB/s` and a line.
    static let scaleWidth = 12
    /// Narrower than this nothing can be told.
    static let leastWidth = 24

    /// Draws scale and picture into a rectangle.
    func draw(on canvas: inout Canvas, column: Int, row: Int, columns: Int, rows: Int) {
        let width = columns - Self.scaleWidth
        guard rows > 0, columns >= Self.leastWidth else { return }
        let dots = width * 2
        // A whole number of dots for a second, or a whole number of seconds for a dot.
        let wide = max(1, dots / RateHistory.span)
        let shown = min(RateHistory.span, dots / wide)
        let rates = (0..<shown).map {
            rate(last &- Int64(shown - 1 - $0)).map { $0.perSecond.isFinite ? max(0, $0.perSecond) : 0 }
        }
        let highest = rates.compactMap(\.self).max() ?? 0
        var picture = BrailleDots(columns: width, rows: rows)
        for (index, rate) in rates.enumerated() {
            guard let rate else { continue }
            // What moved at all is a dot at least; nothing is a dot of the ground line.
            let height = highest > 0 ? max(1, Int((rate / highest * Double(rows * 4)).rounded())) : 1
            for x in 0..<wide { picture.fill(x: dots - (shown - index) * wide + x, height: height) }
        }
        drawScale(on: &canvas, column: column, row: row, rows: rows, highest: highest)
        for line in 0..<rows {
            canvas.write(
                picture.line(line, isASCII: look.isASCII).map { Cell($0, look.theme.graph) },
                column: column + Self.scaleWidth, row: row + line)
        }
    }

    private func drawScale(on canvas: inout Canvas, column: Int, row: Int, rows: Int, highest: Double) {
        func label(_ rate: Double, at line: Int) {
            canvas.write(
                look.text(Format.rate(ByteRate(perSecond: rate))), look.theme.quiet, column: column, row: row + line,
                width: Self.scaleWidth - 2, align: .right)
        }
        for line in 0..<rows {
            canvas.write(
                look.text(String(look.symbols.vertical)), look.theme.border, column: column + Self.scaleWidth - 1,
                row: row + line)
        }
        guard highest > 0 else { return }
        label(highest, at: 0)
        if rows >= 5 { label(highest / 2, at: rows / 2) }
        if rows >= 3 {
            canvas.write(
                look.text("0"), look.theme.quiet, column: column, row: row + rows - 1, width: Self.scaleWidth - 2,
                align: .right)
        }
    }
}
