struct Run: Hashable, Sendable {
    let text: SafeText
    let style: Style

    init(_ text: SafeText, _ style: Style) {
        self.text = text
        self.style = style
    }
}

/// A part of a line, which is kept or dropped as a whole.
struct Part: Hashable, Sendable {
    let runs: [Run]
    /// If the parts do not fit, the one with the lowest rank is dropped first.
    let rank: Int
    /// Columns to which its text may be cut before any part is dropped; `nil`: it cannot be cut.
    var least: Int?
    var target: HitMap.Target?

    init(_ runs: [Run], rank: Int, least: Int? = nil, target: HitMap.Target? = nil) {
        (self.runs, self.rank, self.least, self.target) = (runs, rank, least, target)
    }

    var columns: Int { runs.reduce(0) { $0 + $1.text.columns } }
    fileprivate var needed: Int { least.map { min($0, columns) } ?? columns }
}

/// A line of parts at its left and right ends; if they do not fit, parts are dropped by rank.
struct StyledLine: Sendable {
    private(set) var left: [Part] = []
    private(set) var right: [Part] = []
    /// Between two parts of one side.
    let separator: Run
    /// The least number of columns between the two sides.
    private static let gap = 2

    /// Columns that all parts take with nothing cut.
    var columns: Int { columns(of: \.columns) }

    var isEmpty: Bool { left.isEmpty && right.isEmpty }

    /// Columns that the line takes with every part cut as far as possible.
    var needed: Int { columns(of: \.needed) }

    /// The line without the parts that do not fit into `width`: parts are taken by rank, and one that does not fit
    /// leaves its room to those of lower rank. One part is always kept.
    func fitting(_ width: Int) -> StyledLine {
        if needed <= width { return self }
        // Of the same rank the left side comes first, and the earlier part.
        let byRank = (left + right).enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
        var kept: Set<Int> = []
        for index in byRank.map(\.offset) where kept.isEmpty || only(kept.union([index])).needed <= width {
            kept.insert(index)
        }
        return only(kept)
    }

    /// - Parameter kept: indices of parts, those of the right side after those of the left one.
    private func only(_ kept: Set<Int>) -> StyledLine {
        var line = self
        line.left = left.indices.filter(kept.contains).map { left[$0] }
        line.right = right.indices.filter { kept.contains(left.count + $0) }.map { right[$0] }
        return line
    }

    func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
        let line = fitting(width)
        var spare = width - line.columns(of: \.needed)
        var place = column
        for (index, part) in line.left.enumerated() {
            if index > 0 { place = canvas.write(separator.text, separator.style, column: place, row: row) }
            let most = part.needed + max(0, spare)
            spare -= min(part.columns, most) - part.needed
            place = draw(part, on: &canvas, column: place, row: row, width: min(most, column + width - place))
        }
        place = max(place, column + width - line.columns(of: line.right, \.columns))
        for (index, part) in line.right.enumerated() {
            if index > 0 { place = canvas.write(separator.text, separator.style, column: place, row: row) }
            place = draw(part, on: &canvas, column: place, row: row, width: column + width - place)
        }
    }

    private func draw(_ part: Part, on canvas: inout Canvas, column: Int, row: Int, width: Int) -> Int {
        var place = column
        for run in part.runs {
            place = canvas.write(run.text, run.style, column: place, row: row, width: column + width - place)
        }
        if let target = part.target { canvas.mark(target, column: column, row: row, columns: place - column) }
        return place
    }

    private func columns(of measure: (Part) -> Int) -> Int {
        let between = left.isEmpty || right.isEmpty ? 0 : Self.gap
        return columns(of: left, measure) + between + columns(of: right, measure)
    }

    private func columns(of parts: [Part], _ measure: (Part) -> Int) -> Int {
        parts.reduce(0) { $0 + measure($1) } + max(0, parts.count - 1) * separator.text.columns
    }
}
