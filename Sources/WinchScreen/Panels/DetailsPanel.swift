import WinchModel

/// The panel with all details of one transfer: beside the table on a wide screen, else over it.
struct DetailsPanel {
    /// One line of the panel, or a graph of several lines.
    enum Line: Hashable {
        case blank
        case heading(String)
        /// A label and its value; values are aligned at `DetailLines.labelWidth`.
        case field(String, [Run])
        case runs([Run])
        case cells([Cell])
        /// The graph of the rate, of this many lines.
        case graph(Int)
    }

    private let look: Appearance
    private let row: TransferSnapshot
    private let seconds: [RateHistory.Second]
    private let lines: [Line]
    private let column: Int
    private let columns: Int
    private let top: Int
    private let scrolled: Int
    let height: Int

    /// Screens from this many columns on show table and details side by side.
    static let leastBeside = 120

    /// The table keeps at least 72 columns.
    static func widthBeside(_ columns: Int) -> Int { min(84, columns * 2 / 5) }

    /// - Parameters:
    ///   - details: `nil` until the engine has sent them.
    init(_ row: TransferSnapshot, _ details: TransferDetails?, state: Dashboard, now: Moment) {
        let layout = state.layout
        look = state.look
        self.row = row
        seconds = details?.seconds ?? []
        columns = state.areDetailsBeside ? Self.widthBeside(state.columns) : state.columns
        column = state.columns - columns
        top = layout.panelTop + (state.areDetailsBeside ? layout.heading - layout.panelTop : 0)
        height = max(1, layout.panelEnd - top - 2)
        scrolled = state.detailsTop
        lines =
            DetailLines(
                row: row, details: details, connections: details.map(state.figures.connections) ?? [],
                look: state.look, wallClock: state.wallClock, now: now,
                width: columns - 4, height: height, workingFolder: state.workingFolder,
                awaitsAnswer: state.asks.isOpen(row.phase)
            ).all
    }

    /// The number of lines by which it can be scrolled.
    var lastTop: Int { max(0, drawn - height) }

    private var drawn: Int {
        lines.reduce(0) { sum, line in
            if case .graph(let rows) = line { sum + rows } else { sum + 1 }
        }
    }

    func draw(on canvas: inout Canvas) {
        let note =
            lastTop > 0
            ? [Run(look.text("\(min(scrolled, lastTop) + 1)/\(lastTop + 1), J K scroll"), look.theme.quiet)] : []
        PanelBox(look: look, column: column, row: top, columns: columns, rows: height + 2)
            .draw(on: &canvas, title: [Run(look.text("Details"), look.theme.title)], note: note)
        var place = top + 1 - min(scrolled, lastTop)
        for line in lines {
            draw(line, on: &canvas, row: place)
            if case .graph(let rows) = line { place += rows } else { place += 1 }
        }
    }

    private func isInView(_ row: Int) -> Bool { row > top && row <= top + height }

    private func draw(_ line: Line, on canvas: inout Canvas, row: Int) {
        let (left, width) = (column + 2, columns - 4)
        if case .graph(let rows) = line {
            // A graph is drawn whole or not at all: a part of it would show wrong heights.
            guard isInView(row), isInView(row + rows - 1) else { return }
            RateGraph(seconds, look: look, current: self.row.rate)?
                .draw(on: &canvas, column: left, row: row, columns: width, rows: rows)
            return
        }
        guard isInView(row) else { return }
        var place = left
        func write(_ runs: [Run]) {
            for run in runs {
                place = canvas.write(run.text, run.style, column: place, row: row, width: left + width - place)
            }
        }
        switch line {
        case .blank, .graph: break
        case .heading(let words): write([Run(look.text(words), look.theme.title)])
        case .field(let label, let runs):
            canvas.write(look.text(label), look.theme.quiet, column: left, row: row, width: DetailLines.labelWidth)
            place = left + DetailLines.labelWidth
            write(runs)
        case .runs(let runs): write(runs)
        case .cells(let cells): canvas.write(Array(cells.prefix(width)), column: left, row: row)
        }
    }
}

extension Dashboard {
    /// The details of the selected row; `nil` without one.
    func detailsPanel(board: QueueCopy, now: Moment) -> DetailsPanel? {
        guard let id = selection.id, let row = board[id].map(shown) else { return nil }
        let details = board.details.flatMap { $0.id == id ? $0 : nil }
        return DetailsPanel(row, details, state: self, now: now)
    }
}

/// A bar of several shares side by side: the finished, failed and cancelled of all transfers.
struct SharesBar: Sendable {
    struct Share: Hashable, Sendable {
        /// The share of the whole bar, 0...1.
        var fraction: Double
        var symbol: Character
        var style: Style
    }

    let shares: [Share]
    let symbols: UnicodeAndASCIISymbols
    let track: Style

    /// Exactly `width` cells. A share above 0 has at least an eighth of a cell. The bar is full only if `isFinished`.
    func cells(width: Int, isFinished: Bool) -> [Cell] {
        let ends = ends(width: width, isFinished: isFinished)
        return (0..<max(0, width)).map { x in
            let start = x * 8
            let inside = ends.indices.filter { ends[$0] > start && (($0 == 0 ? 0 : ends[$0 - 1]) < start + 8) }
            guard let first = inside.first else { return Cell(symbols.track, track) }
            let filled = ends[first] - start
            if filled >= 8 { return Cell(shares[first].symbol, shares[first].style) }
            var style = shares[first].style
            // The next share begins in this cell: its colour becomes the background.
            if let next = inside.dropFirst().first { style.background = shares[next].style.foreground }
            return Cell(symbols.isASCII ? shares[first].symbol : symbols.partial(filled), style)
        }
    }

    /// The end of each share, in eighths of cells.
    private func ends(width: Int, isFinished: Bool) -> [Int] {
        let most = max(0, isFinished ? width * 8 : width * 8 - 1)
        var sum = 0.0
        var last = 0
        return shares.map { share in
            guard share.fraction > 0 else { return last }
            sum += share.fraction
            last = min(max(Int(min(sum, 1) * Double(width * 8)), last + 1), most)
            return last
        }
    }
}
