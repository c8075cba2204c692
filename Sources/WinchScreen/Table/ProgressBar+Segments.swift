import WinchModel

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
