import WinchModel

/// The dashboard in a window too small for the table: `winch 12/40 31% 4.2 MiB/s`, cut to fit.
struct TinyWindowLine {
    let frame: Frame

    func draw(on canvas: inout Canvas, row: Int) {
        let totals = frame.totals
        var words = [frame.state.session == nil ? "winch" : "session", "\(totals.finished)/\(totals.count)"]
        // If all is settled and some failed, `percentWords` is no percentage but repeats the count before it.
        if !totals.allSettled || totals.finished == totals.count { words.append(totals.percentWords) }
        if totals.failed > 0 { words.append("\(totals.failed) failed") }
        if let rate = totals.rate, totals.active > 0 { words.append(NumberFormat.rate(rate)) }
        canvas.write(
            frame.look.text(words.joined(separator: " ")), frame.theme.text, column: 0, row: row)
    }
}
