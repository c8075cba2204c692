import WinchCore

/// The cells of a bar: always exactly as many as asked for, whatever the numbers.
struct Bar: Sendable {
    /// What fills the bar.
    enum Ink: Hashable, Sendable {
        case flat(Style)
        /// All colours, at this time of their run.
        case rainbow(Duration)
    }

    let symbols: Symbols
    let ink: Ink
    let track: Style

    init(look: Look, ink: Ink) {
        symbols = look.symbols
        self.ink = ink
        track = look.theme.track
    }

    /// Eighths of cells that are full: floor(8 W d), at most 8 W - 1 before the finish, at least 1 once bytes moved.
    static func eighths(_ fraction: Double, width: Int, hasMoved: Bool = true, isFinished: Bool = false) -> Int {
        guard width > 0 else { return 0 }
        let all = width * 8
        let exact = fraction > 0 ? Int(min(fraction, 1) * Double(all)) : 0
        return min(max(exact, hasMoved ? 1 : 0), isFinished ? all : all - 1)
    }

    /// A bar that is `fraction` full.
    ///
    /// - Parameters:
    ///   - hasMoved: at least a sliver shows.
    ///   - isFinished: it may be full.
    ///   - guessed: of the whole, the share at the end that is hatched, since its extent is a guess.
    func cells(
        fraction: Double, width: Int, hasMoved: Bool, isFinished: Bool = false, guessed: Double = 0
    ) -> [Cell] {
        let eighths = Self.eighths(fraction, width: width, hasMoved: hasMoved, isFinished: isFinished)
        let hatched = guessed > 0 ? max(1, Int(min(guessed, 1) * Double(max(0, width)))) : 0
        return cells(width) { x in
            switch eighths - x * 8 {
            case 8...: Cell(symbols.full, style(x, width))
            case 1...7: Cell(symbols.partial(eighths - x * 8), style(x, width))
            default: Cell(x >= width - hatched ? symbols.hatch : symbols.track, track)
            }
        }
    }

    /// Size unknown: a comet that runs through the bar once in 1.2 s.
    func marquee(at now: Moment, width: Int) -> [Cell] {
        let comet = symbols.comet
        let period = Self.pass.nanoseconds
        let time = ((now.nanoseconds % period) + period) % period
        let head = Int(time * Int64(width + comet.count) / period)
        return cells(width) { x in
            let place = comet.count - 1 - (head - x)
            return comet.indices.contains(place) && head >= x
                ? Cell(comet[place], style(x, width)) : Cell(symbols.track, track)
        }
    }

    /// Size unknown and nothing runs: hatched from end to end.
    func hatched(width: Int) -> [Cell] {
        cells(width) { x in Cell(symbols.hatch, style(x, width)) }
    }

    private func style(_ x: Int, _ width: Int) -> Style {
        switch ink {
        case .flat(let style): style
        case .rainbow(let time): Style(foreground: Hue.rainbow(x: x, width: width, time: time))
        }
    }

    private func cells(_ width: Int, _ cell: (Int) -> Cell) -> [Cell] {
        (0..<max(0, width)).map(cell)
    }

    /// Time of the marquee from end to end.
    static let pass = Duration.milliseconds(1200)
}
