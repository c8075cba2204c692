import WinchModel

/// The cells of a bar: always exactly `width` cells, whatever the numbers.
struct ProgressBar: Sendable {
    enum Ink: Hashable, Sendable {
        case flat(Style)
        case gradient(Gradient)
        /// The rainbow, at this time of its motion.
        case rainbow(Duration)
    }

    enum Shape: Hashable, Sendable {
        /// Full blocks in eighths of a cell: the queue's bar.
        case block
        /// A heavy line on a thin one, in halves of a cell: the bars of rows, which are directly below each other.
        case line
    }

    let look: Appearance
    let ink: Ink
    var shape = Shape.block

    private var symbols: UnicodeAndASCIISymbols { look.symbols }
    private var track: Style { look.theme.track }

    /// Eighths of cells that are full: floor(8 W d), at most 8 W - 1 before the finish, at least 1 once bytes moved.
    static func eighths(_ fraction: Double, width: Int, hasMoved: Bool = true, isFinished: Bool = false) -> Int {
        guard width > 0 else { return 0 }
        let all = width * 8
        let exact = fraction > 0 ? Int(min(fraction, 1) * Double(all)) : 0
        return min(max(exact, hasMoved ? 1 : 0), isFinished ? all : all - 1)
    }

    /// The visible step of a bar at this fraction: fractions with the same step give the same cells.
    static func step(_ fraction: Double, width: Int, shape: Shape) -> Int {
        let eighths = eighths(fraction, width: width)
        return shape == .block ? eighths : eighths / 4
    }

    /// A bar that is `fraction` full.
    ///
    /// - Parameters:
    ///   - hasMoved: at least an eighth of a cell is filled.
    ///   - isFinished: the bar may be full; otherwise its last eighth of a cell stays empty.
    ///   - guessed: the share of the bar, at its end, that is hatched because its size is only estimated.
    func cells(
        fraction: Double, width: Int, hasMoved: Bool, isFinished: Bool = false, guessed: Double = 0
    ) -> [Cell] {
        let eighths = Self.eighths(fraction, width: width, hasMoved: hasMoved, isFinished: isFinished)
        let hatched = guessed > 0 ? max(1, Int(min(guessed, 1) * Double(max(0, width)))) : 0
        return cells(width) { x in
            let isHatched = x >= width - hatched
            let empty = Cell(isHatched ? symbols.line.hatch : symbols.track, track)
            return switch (eighths - x * 8, shape) {
            case (8..., _): Cell(full, style(x, width))
            case (1...7, .block): Cell(symbols.partial(eighths - x * 8), style(x, width))
            // Less than half a cell is not drawn, except in the first cell, which shows that bytes have moved at all.
            case (1...3, .line) where x > 0: symbols.isASCII ? tip(x, width) : Cell(symbols.line.gap, track)
            case (1...7, .line): tip(x, width)
            // A gap of half a cell separates the heavy line from the thin one, so that they differ without colour.
            case (0, .line) where x > 0 && !isHatched: Cell(symbols.line.gap, track)
            default: empty
            }
        }
    }

    private var full: Character { shape == .block ? symbols.full : symbols.line.full }
    private var hatch: Character { shape == .block ? symbols.hatch : symbols.line.hatch }

    private func tip(_ x: Int, _ width: Int) -> Cell { Cell(symbols.line.half, style(x, width)) }

    /// The bar of an unknown size: a marquee that runs through the bar once in 1.2 s.
    func marquee(at now: Moment, width: Int) -> [Cell] {
        let comet = shape == .block ? symbols.comet : symbols.lineComet
        let period = Self.pass.nanoseconds
        let time = ((now.nanoseconds % period) + period) % period
        let head = Int(time * Int64(width + comet.count) / period)
        return cells(width) { x in
            let place = comet.count - 1 - (head - x)
            return comet.indices.contains(place) && head >= x
                ? Cell(comet[place], style(x, width))
                : Cell(symbols.track, track)
        }
    }

    /// The bar of an unknown size while nothing moves: hatched from end to end.
    func hatched(width: Int) -> [Cell] { cells(width) { x in Cell(hatch, style(x, width)) } }

    /// The style depends on the place in the whole bar, so that a cell keeps its colour while the bar grows.
    func style(_ x: Int, _ width: Int) -> Style {
        switch ink {
        case .flat(let style): style
        case .gradient(let gradient): Style(foreground: gradient.color(at: x, of: width))
        case .rainbow(let time): Style(foreground: Hue.rainbow(x: x, width: width, time: time))
        }
    }

    func cells(_ width: Int, _ cell: (Int) -> Cell) -> [Cell] { (0..<max(0, width)).map(cell) }

    static let pass = Duration.milliseconds(1200)
}

extension ProgressBar {
    /// The bar of a file whose bytes come over several connections: heavy where they are, in halves of a cell, and bold
    /// where a connection works, with a gap where none of its bytes are drawn yet. For `Shape.line`.
    func cells(_ parts: BarSegments, width: Int) -> [Cell] {
        let (halves, marks) = (parts.halves(width: width), parts.marks(width))
        return cells(width) { x in
            let isMarked = marks.contains(x)
            // The first cell shows that bytes have come at all.
            let isLeft = halves[2 * x] || (x == 0 && parts.onDisk.prefixEnd > 0)
            let isAfterFull = x > 0 && halves[2 * x - 1] && halves[2 * x - 2]
            var style = style(x, width)
            style.isBold = style.isBold || isMarked
            if symbols.isASCII {
                if isLeft && halves[2 * x + 1] { return Cell(symbols.line.full, style) }
                return isLeft || isMarked ? Cell(symbols.line.half, style) : Cell(symbols.track, track)
            }
            return switch (isLeft, halves[2 * x + 1]) {
            case (true, true): Cell(symbols.line.full, style)
            case (true, false): Cell(symbols.line.half, style)
            case (false, true): Cell(symbols.rightHalf, style)
            case (false, false):
                Cell(isAfterFull || isMarked ? symbols.line.gap : symbols.track, isMarked ? style : track)
            }
        }
    }
}
