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
