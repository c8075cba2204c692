import WinchCore

/// The dashboard of a window too small for one: `winch 12/40 31% 4.2 MiB/s`, cut to fit.
struct OneLine {
    let frame: Frame

    func draw(on canvas: inout Canvas, row: Int) {
        let totals = frame.totals
        var words = ["winch", "\(totals.finished)/\(totals.count)", totals.percentWords]
        if totals.failed > 0 { words.append("\(totals.failed) failed") }
        if let rate = totals.rate, totals.active > 0 { words.append(Format.rate(rate)) }
        canvas.write(
            frame.look.text(words.joined(separator: " ")), frame.theme.text, column: 0, row: row)
    }
}

extension QueueTotals {
    /// `31%`, `~31%` while an estimate is in the sum, `--` while nothing is known; `100%` only when all is settled.
    var percentWords: String {
        percent.map { (isEstimated && !allSettled ? "~" : "") + "\($0)%" } ?? "--"
    }
}
