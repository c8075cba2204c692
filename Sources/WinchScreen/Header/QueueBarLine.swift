import WinchModel

/// The queue's bar with its numbers; in the compact layout also the parts that the roomy one shows in the line below.
struct QueueBarLine {
    let frame: Frame

    private var totals: QueueTotals { frame.totals }
    private var theme: Theme { frame.theme }

    func draw(on canvas: inout Canvas, row: Int, form: ScreenLayout.Form) {
        let (margin, width) = (frame.state.layout.margin, barWidth(form: form))
        canvas.write(bar(width: width), column: margin, row: row)
        let rest = frame.state.columns - margin - (margin + width + 1)
        words(form).draw(on: &canvas, column: margin + width + 1, row: row, width: rest)
    }

    /// Width of the bar: what its words leave. In the compact layout it keeps at least a third of the line.
    func barWidth(form: ScreenLayout.Form) -> Int {
        let line = frame.state.columns - 2 * frame.state.layout.margin
        let room = form == .compact ? line / 3 : line - numbers.text.columns - 1
        let words = words(form).fitting(line - room - 1)
        return max(1, line - words.columns - 1)
    }

    private func words(_ form: ScreenLayout.Form) -> StyledLine {
        let numbers = numbers.text.columns > 0 ? [Part([numbers], rank: 30)] : []
        guard form == .compact else { return StyledLine(right: numbers, separator: frame.separator) }
        // What is counted is named only if it is not the default, bytes.
        let counting = totals.mode == .simple ? [frame.part("files", theme.quiet, rank: 17)] : []
        return StyledLine(left: numbers + SummaryLine(frame: frame).conditions + counting, separator: frame.separator)
    }

    /// `~31%`, and in simple mode also `12 of 40 ended`; empty at the end unless all succeeded, which the counts
    /// say. Padded to the longest value, so that the bar keeps its width.
    private var numbers: Run {
        if totals.allSettled, totals.finished < totals.count { return frame.run("", theme.text) }
        var text = String(repeating: " ", count: max(0, 4 - totals.percentWords.count)) + totals.percentWords
        if totals.mode == .simple {
            let shares = "\(totals.settled) of \(totals.count) ended"
            let longest = String(totals.count).count * 2 + " of  ended".count
            text += String(repeating: " ", count: max(0, longest - shares.count) + 2) + shares
        }
        return frame.run(text, totals.isEstimated || totals.isIndeterminate ? theme.quiet : theme.text)
    }

    private func bar(width: Int) -> [Cell] {
        guard let motion = frame.state.queueMotion, totals.count > 0 else {
            return plain.cells(fraction: 0, width: width, hasMoved: false)
        }
        // The queue counts transfers that wait for an answer as failed, and its bar as full.
        let shown = frame.state.awaitingAnswer.count > 0 ? totals.fraction : motion.shown(at: frame.now)
        guard let shown else {
            guard totals.active > 0, frame.look.isAnimated else {
                return ProgressBar(look: frame.look, ink: .flat(theme.track)).hatched(width: width)
            }
            return plain.marquee(at: frame.now, width: width)
        }
        if totals.mode == .simple || totals.shares.failed > 0 || totals.shares.cancelled > 0 {
            return shares(shown).cells(width: width, isFinished: totals.allSettled)
        }
        let guessed = totals.isEstimated && totals.total > 0 ? Double(totals.guessed) / Double(totals.total) : 0
        return ProgressBar(look: frame.look, ink: ink(motion)).cells(
            fraction: shown, width: width, hasMoved: totals.completed > 0, isFinished: totals.allSettled,
            guessed: min(1, guessed))
    }

    private var plain: ProgressBar {
        ProgressBar(look: frame.look, ink: frame.look.gradient.map(ProgressBar.Ink.gradient) ?? .flat(theme.barMoving))
    }

    private func ink(_ motion: BarAnimation) -> ProgressBar.Ink {
        if totals.allSettled, !motion.isFresh(at: frame.now) {
            return .flat(totals.finished == totals.count ? theme.barDone : theme.warning)
        }
        if theme.isRainbow { return .rainbow(motion.flowed(at: frame.now)) }
        if totals.allSettled { return .flat(theme.barFresh) }
        let rests = totals.active == 0 && totals.backoff == 0 && (totals.paused > 0 || totals.isHeld)
        if rests { return .flat(theme.paused) }
        return frame.look.gradient.map(ProgressBar.Ink.gradient) ?? .flat(theme.barMoving)
    }

    /// The shares of the shown fraction by outcome; all scale together while the bar moves. Unsettled transfers are
    /// in the share of the succeeded ones: only failed and cancelled ones have their own colour.
    private func shares(_ shown: Double) -> SharesBar {
        let (symbols, shares) = (frame.look.symbols, totals.shares)
        let isSimple = totals.mode == .simple
        let good = isSimple ? Double(totals.finished) : Double(shares.succeeded) + Double(shares.unsettled)
        let failed = Double(isSimple ? Int64(totals.failed) : shares.failed)
        let cancelled = Double(isSimple ? Int64(totals.cancelled) : shares.cancelled)
        let all = good + failed + cancelled
        let scale = all > 0 ? shown / all : 0
        let style = totals.allSettled || isSimple ? theme.barDone : theme.barMoving
        return SharesBar(
            shares: [
                .init(fraction: good * scale, symbol: symbols.full, style: style),
                .init(fraction: failed * scale, symbol: symbols.fullFailed, style: theme.failure),
                .init(fraction: cancelled * scale, symbol: symbols.fullCancelled, style: theme.cancelled),
            ],
            symbols: symbols, track: theme.track)
    }
}

extension Dashboard {
    func queueBarWidth(board: QueueCopy, now: Moment) -> Int {
        QueueBarLine(frame: Frame(state: self, board: board, now: now)).barWidth(form: layout.form)
    }
}

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
        canvas.write(frame.look.text(words.joined(separator: " ")), frame.theme.text, column: 0, row: row)
    }
}
