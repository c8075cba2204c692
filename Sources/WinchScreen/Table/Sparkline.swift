import WinchModel

/// The total rate of the last two minutes as a curve of one line, the latest at its right end.
///
/// A cell stands for the mean of some whole seconds, always the same ones, so that the curve scrolls without changing
/// its shape. The highest cell is full; a mean of 0 is the lowest level; a cell without measurements is blank.
struct Sparkline {
    private let history: RateHistory
    private let symbols: UnicodeAndASCIISymbols

    init(_ history: RateHistory, look: Appearance) {
        self.history = history
        symbols = look.symbols
    }

    /// Seconds that a cell may stand for: parts of two minutes that make 20 to 120 cells.
    private static let spans: [Int64] = [1, 2, 3, 4, 5, 6]

    /// The longest curve of at most `width` cells; `nil` when none fits or nothing is known yet.
    func cells(atMost width: Int) -> [Character]? {
        guard let last = history.last,
            let span = Self.spans.first(where: { Int64(RateGraphSpan.seconds) / $0 <= width })
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
