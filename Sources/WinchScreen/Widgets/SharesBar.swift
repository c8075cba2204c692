/// A bar of kinds side by side: done, failed, cancelled of all transfers.
struct SharesBar: Sendable {
    struct Share: Hashable, Sendable {
        /// Of the whole bar.
        var fraction: Double
        var symbol: Character
        var style: Style
    }

    let shares: [Share]
    let symbols: Symbols
    let track: Style

    /// Exactly `width` cells. A kind that is there at all has at least an eighth of a cell; full only when finished.
    func cells(width: Int, isFinished: Bool) -> [Cell] {
        let ends = ends(width: width, isFinished: isFinished)
        return (0..<max(0, width)).map { x in
            let start = x * 8
            let inside = ends.indices.filter { ends[$0] > start && (($0 == 0 ? 0 : ends[$0 - 1]) < start + 8) }
            guard let first = inside.first else { return Cell(symbols.track, track) }
            let filled = ends[first] - start
            if filled >= 8 { return Cell(shares[first].symbol, shares[first].style) }
            var style = shares[first].style
            // The next kind begins in this cell: it shows behind the first.
            if let next = inside.dropFirst().first { style.background = shares[next].style.foreground }
            return Cell(symbols.isASCII ? shares[first].symbol : symbols.partial(filled), style)
        }
    }

    /// Where each kind ends, in eighths of cells.
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
