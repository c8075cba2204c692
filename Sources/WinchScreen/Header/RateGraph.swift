import WinchModel

/// A filled graph of a rate over time, with a scale and a time axis; the latest second is at its right end.
///
/// All seconds take the same whole number of columns, so that the graph scrolls without changing its shape; within
/// them it rises or falls from the second before, without steps. That number becomes smaller as more seconds are known, so
/// that the graph is not half empty in its first minute. The scale covers 95% of the seconds; a higher second is cut and
/// marked at the top.
struct RateGraph {
    private let history: RateHistory
    private let last: Int64
    private let look: Appearance
    /// The current and the mean rate, which are written into the graph; the current one is `nil` if nothing moves.
    private let current: ByteRate?
    private let mean: ByteRate?

    /// - Returns: `nil` when nothing was measured yet.
    init?(_ history: RateHistory, look: Appearance, current: ByteRate? = nil, mean: ByteRate? = nil) {
        guard let last = history.last else { return nil }
        // While bytes arrive, the graph scrolls by two seconds at a time: scrolling redraws all of it, which is most of
        // its output.
        let even = last & ~1
        self.last = current == nil || history[even] == nil ? last : even
        (self.look, self.current, self.mean, self.history) = (look, current, mean, history)
    }

    /// - Parameter seconds: ascending.
    init?(_ seconds: [RateHistory.Second], look: Appearance, current: ByteRate? = nil) {
        var history = RateHistory()
        for second in seconds { history.append(second) }
        self.init(history, look: look, current: current)
    }

    /// Columns left of the picture for the scale: `12.3 MiB/s` and a line.
    static let scaleWidth = 12
    /// A narrower graph is not drawn: it would be unreadable.
    static let leastWidth = 24

    /// Draws scale, picture and, from three lines on, a time axis into a rectangle.
    ///
    /// - Parameter namesCurrent: the current rate is written into it; otherwise it stands elsewhere on the screen.
    func draw(
        on canvas: inout Canvas, column: Int, row: Int, columns: Int, rows: Int, namesCurrent: Bool = true
    ) {
        let width = columns - Self.scaleWidth
        guard rows > 0, columns >= Self.leastWidth else { return }
        let (wide, shown) = Self.extent(known: known, width: width)
        // The second before the first shown one too, from which the graph rises or falls.
        let all = (0...shown).map {
            history[last &- Int64(shown - $0)].map { $0.perSecond.isFinite ? max(0, $0.perSecond) : 0 }
        }
        let rates = all.dropFirst()
        let top = Self.top(of: rates.compactMap(\.self))
        let lines = rows >= 3 ? rows - 1 : rows
        drawScale(on: &canvas, column: column, row: row, rows: lines, top: top)
        let left = column + columns - shown * wide
        for (index, (from, to)) in zip(all, rates).enumerated() {
            guard let to, to > 0 else { continue }
            for x in 0..<wide {
                let rate = from.map { $0 + (to - $0) * Double(x + 1) / Double(wide) } ?? to
                drawColumn(rate, top: top, on: &canvas, column: left + index * wide + x, row: row, rows: lines)
            }
        }
        drawWords(
            rates.compactMap(\.self), namesCurrent ? current : nil, on: &canvas, column: column + Self.scaleWidth,
            row: row, width: width)
        if lines < rows {
            drawAxis(on: &canvas, left: column, row: row + lines, width: width, wide: wide, shown: shown)
        }
    }

    /// Seconds from the first that was measured to the last.
    private var known: Int {
        let span = RateGraphSpan.seconds
        return (0..<span).first { history[last &- Int64(span - 1 - $0)] != nil }.map { span - $0 } ?? 0
    }

    /// Columns per second, and seconds in view. As many columns per second as possible while the known seconds, at
    /// most a minute of them, fit into `width`.
    static func extent(known: Int, width: Int) -> (wide: Int, shown: Int) {
        let least = min(max(known, 1), RateGraphSpan.wholeAtMost)
        let wide = [6, 4, 3, 2].first { width / $0 >= least } ?? 1
        return (wide, min(width / wide, RateGraphSpan.seconds))
    }

    /// The rate at the upper edge: the highest, or 1.1 times the 95th percentile if the highest is more than 1.5
    /// times that.
    static func top(of rates: [Double]) -> Double {
        let sorted = rates.sorted()
        guard let highest = sorted.last else { return 0 }
        let usual = sorted[(sorted.count * 95 + 99) / 100 - 1]
        return usual > 0 && highest > usual * 1.5 ? usual * 1.1 : highest
    }

    private func drawColumn(
        _ rate: Double, top: Double, on canvas: inout Canvas, column: Int, row: Int, rows: Int
    ) {
        // A rate above 0 is always visible.
        let eighths = max(1, Int((min(rate / top, 1) * Double(rows * 8)).rounded()))
        for line in 0..<rows {
            let filled = eighths - (rows - 1 - line) * 8
            guard filled > 0 else { continue }
            let isCut = line == 0 && rate > top
            let height = (rows - 1 - line) * 8 + min(filled, 8)
            canvas[column, row + line] = Cell(
                isCut ? look.symbols.cut : look.symbols.level(min(filled, 8)), style(height, of: rows * 8))
        }
    }

    /// The colours of a bar's gradient, from bottom to top, in eighths of a line: the edge of the graph has the colour
    /// of its height.
    private func style(_ height: Int, of all: Int) -> Style {
        guard let gradient = look.gradient else { return look.theme.graph }
        return Style(foreground: gradient.color(at: height, of: all + 1))
    }

    private func drawScale(on canvas: inout Canvas, column: Int, row: Int, rows: Int, top: Double) {
        func label(_ words: String, at line: Int) {
            canvas.write(
                look.text(words), look.theme.quiet, column: column, row: row + line, width: Self.scaleWidth - 2,
                align: .right)
        }
        for line in 0..<rows {
            canvas.write(
                look.text(String(look.symbols.vertical)), look.theme.border, column: column + Self.scaleWidth - 1,
                row: row + line)
        }
        guard top > 0 else { return }
        label(NumberFormat.rate(ByteRate(perSecond: top)), at: 0)
        if rows >= 5 { label(NumberFormat.rate(ByteRate(perSecond: top / 2)), at: rows / 2) }
        if rows >= 2 { label("0", at: rows - 1) }
    }

    /// Draws the current and the mean rate at the upper left, where the oldest seconds are and the graph is most
    /// often empty.
    private func drawWords(
        _ rates: [Double], _ current: ByteRate?, on canvas: inout Canvas, column: Int, row: Int, width: Int
    ) {
        guard !rates.isEmpty else { return }
        let mean = mean ?? ByteRate(perSecond: rates.reduce(0, +) / Double(rates.count))
        let now = current.map { Run(look.text(" now \(NumberFormat.rate($0)) "), look.theme.title) }
        let separator = current == nil ? "" : String(look.symbols.dot)
        let average = Run(look.text("\(separator) mean \(NumberFormat.rate(mean)) "), look.theme.quiet)
        var place = column
        for run in [now, average].compactMap(\.self) where place + run.text.columns <= column + width * 3 / 5 {
            place = canvas.write(run.text, run.style, column: place, row: row)
        }
    }

    /// Draws the time axis, with labels for how long ago a second was, over the whole width of the graph.
    private func drawAxis(on canvas: inout Canvas, left: Int, row: Int, width: Int, wide: Int, shown: Int) {
        let (start, end) = (left + Self.scaleWidth, left + Self.scaleWidth + width)
        let line = String(look.symbols.axisCorner) + String(repeating: look.symbols.horizontal, count: width)
        canvas.write(look.text(line), look.theme.border, column: start - 1, row: row)
        canvas.write(look.text(" now"), look.theme.quiet, column: end - 4, row: row)
        // Seconds between two labels: the smallest step that gives each label 14 columns.
        guard let step = [5, 10, 15, 30, 60].first(where: { $0 * wide >= 14 }) else { return }
        for ago in stride(from: step, to: shown, by: step) {
            let words = look.text(" -\(DurationFormat.text(.seconds(ago)).replacing(" 0 s", with: "")) ")
            let place = end - ago * wide - words.columns / 2
            guard place > start, place + words.columns < end - 5 else { continue }
            canvas.write(words, look.theme.quiet, column: place, row: row)
        }
    }
}

/// The total rate of the last two minutes as a curve of one line, the latest at its right end.
///
/// A cell stands for the mean of some whole seconds, always the same ones, so that the curve scrolls without changing
/// its shape. The highest cell is full; a mean of 0 is the lowest level; a cell without measurements is blank.
struct Sparkline {
    let history: RateHistory
    let symbols: UnicodeAndASCIISymbols

    /// The longest curve of at most `width` cells; `nil` when none fits or nothing is known yet.
    func cells(atMost width: Int) -> [Character]? {
        guard let last = history.last,
            // Seconds that a cell stands for: parts of two minutes that make 20 to 120 cells.
            let span = (1...Int64(6)).first(where: { Int64(RateGraphSpan.seconds) / $0 <= width })
        else { return nil }
        let newest = last.quotient(flooredBy: span)
        let count = Int64(RateGraphSpan.seconds) / span
        let means = (0..<count).map { mean(ofBucket: newest - count + 1 + $0, span: span) }
        let highest = means.lazy.compactMap(\.self).max() ?? 0
        return means.map { mean in
            guard let mean else { return " " }
            // A mean above 0 has at least level 2, so that it differs from 0.
            return symbols.level(mean > 0 ? 2 + Int(6 * mean / highest) : 1)
        }
    }

    /// The mean over the measured seconds of a bucket; `nil` if there are none.
    private func mean(ofBucket bucket: Int64, span: Int64) -> Double? {
        let rates = (bucket * span..<(bucket + 1) * span).compactMap { history[$0]?.perSecond }
        return rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
    }
}
