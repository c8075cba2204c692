import WinchCore

/// One transfer's line of the table.
struct RowLine {
    let frame: Frame
    let transfer: RowState

    private var theme: Theme { frame.theme }
    private var look: Look { frame.look }
    private var motion: BarMotion? { frame.state.motions[transfer.id] }
    /// Why the bar has just moved back; for that while it is of more use than rate and time left.
    private var cause: Rebase? { motion?.cause(at: frame.now) }
    private var isTagged: Bool { frame.state.tags.contains(transfer.id) }
    private var isSelected: Bool { frame.state.selection.id == transfer.id }

    func draw(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let words = RowWords(transfer, cause: cause, now: frame.now, look: look)
        let place = place(for: words, columns: columns)
        for field in columns.fields where place.map({ field.end <= $0.start || field.start >= $0.end }) ?? true {
            draw(field, words: words, on: &canvas, row: row)
        }
        guard let place else { return }
        canvas.write(place.text, words.style, column: place.start, row: row, width: place.end - place.start)
    }

    private func draw(_ field: ColumnLayout.Field, words: RowWords, on canvas: inout Canvas, row: Int) {
        func write(_ text: String, _ style: Style, cut: SafeText.Cut = .end) {
            canvas.write(
                look.text(text), style, column: field.start, row: row, width: field.width,
                align: field.column.alignment, cut: cut)
        }
        switch field.column {
        case .mark:
            if isSelected { write(String(look.symbols.selection), theme.key) }
            if isTagged {
                canvas.write(look.text(String(look.symbols.tag)), theme.question, column: field.start + 1, row: row)
            }
            canvas.write(look.text(String(words.sign)), words.style, column: field.start + 2, row: row)
        case .name:
            if isSelected { canvas.clear(column: field.start, row: row, columns: field.width, style: theme.selected) }
            write(transfer.name, isSelected ? theme.selected : textStyle, cut: .beforeExtension)
        case .bar: canvas.write(bar(width: field.width), column: field.start, row: row)
        case .percent: write(percent, textStyle)
        case .progress: write(progress, theme.quiet)
        case .rate: write(rate.map(Format.rate) ?? "", theme.text)
        case .left: write(finish.map { Format.countdown($0 - frame.now) } ?? "", theme.quiet)
        case .state: break
        case .host: write(transfer.host, theme.quiet)
        }
    }

    /// Rows that have something to say now stand out from those that wait or have ended well.
    private var textStyle: Style {
        switch transfer.phase {
        case .waiting, .finished, .cancelled: theme.quiet
        case .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying, .failed: theme.text
        }
    }

    private var percent: String {
        transfer.percent.map { "\($0)%" } ?? "--"
    }

    private var progress: String {
        if case .finished = transfer.phase { return Format.bytes(transfer.size.known ?? transfer.have) }
        if transfer.size.known == nil, transfer.have == .zero { return "" }
        return Format.progress(transfer.have, of: transfer.size.known)
    }

    private var rate: ByteRate? { isRunning ? transfer.rate : nil }
    private var finish: Moment? { isRunning ? transfer.finish : nil }
    private var isRunning: Bool { transfer.phase == .moving && transfer.stalledSince == nil }
}

extension RowLine {
    /// Where the words stand, and the longest form of them that fits there.
    private func place(for words: RowWords, columns: ColumnLayout) -> (start: Int, end: Int, text: SafeText)? {
        guard let start = start(columns) else { return nil }
        let end = columns[.state]?.end ?? columns[.percent]?.end ?? 0
        let forms = words.forms.map(look.text)
        return (forms.first { $0.columns <= end - start } ?? forms.last).map { (start, end, $0) }
    }

    /// A plain state in its own column. A reason, which is what one wants to read, from the rate's column on, which is empty
    /// while nothing moves; a failure's in the bar's place where there is no rate's. So words of a kind stand below each
    /// other, whatever their length.
    private func start(_ columns: ColumnLayout) -> Int? {
        let state = columns[.state]
        switch kind {
        case .plain: return state?.start
        case .wait: return state.map { $0.width >= Self.longestWait } ?? false ? state?.start : reasonStart(columns)
        case .trouble: return reasonStart(columns)
        }
    }

    private func reasonStart(_ columns: ColumnLayout) -> Int? {
        if let rate = columns[.rate] { return rate.start }
        if case .failed = transfer.phase { return columns[.bar]?.start }
        return columns[.state]?.start
    }

    /// What the words are about.
    private enum Kind {
        case plain, wait, trouble
    }

    private var kind: Kind {
        switch transfer.phase {
        case .failed, .backoff, .waiting(.space): .trouble
        case .moving: transfer.stalledSince != nil || cause != nil ? .trouble : .plain
        case .finished: transfer.warning != nil ? .trouble : .plain
        case .waiting(.held), .connecting, .paused, .verifying, .cancelled: .plain
        case .waiting, .requested, .replying: .wait
        }
    }

    /// `waiting for the host's slots`.
    private static let longestWait = 28

    /// The table says all there is to say of the row's state.
    func isInFull(_ columns: ColumnLayout) -> Bool {
        if isRunning, columns[.rate] == nil { return false }
        let words = RowWords(transfer, cause: cause, now: frame.now, look: look)
        return place(for: words, columns: columns).map { $0.text == words.forms.first.map(look.text) } ?? false
    }

    private func bar(width: Int) -> [Cell] {
        let bar = Bar(look: look, ink: ink)
        let hasMoved = transfer.have.bytes > 0
        guard let shown = motion.map({ $0.shown(at: frame.now) }) ?? transfer.shownFraction else {
            if isRunning, look.isAnimated { return bar.marquee(at: frame.now, width: width) }
            return hasMoved ? bar.hatched(width: width) : bar.cells(fraction: 0, width: width, hasMoved: false)
        }
        if let verified = transfer.verifiedFraction {
            return Bar(look: look, ink: .flat(theme.paused)).cells(
                fraction: verified, width: width, hasMoved: true)
        }
        if case .finished = transfer.phase {
            return bar.cells(fraction: shown, width: width, hasMoved: true, isFinished: true)
        }
        return bar.cells(fraction: shown, width: width, hasMoved: hasMoved)
    }

    private var ink: Bar.Ink {
        let flowing: Bar.Ink? = theme.isRainbow ? motion.map { .rainbow($0.flowed(at: frame.now)) } : nil
        switch transfer.phase {
        case .waiting, .connecting, .requested, .moving, .replying, .verifying:
            return flowing ?? .flat(theme.barMoving)
        case .paused: return flowing ?? .flat(theme.paused)
        case .backoff: return flowing ?? .flat(theme.warning)
        case .finished:
            let isFresh = motion?.isFresh(at: frame.now) ?? false
            return isFresh ? flowing ?? .flat(theme.barFresh) : .flat(theme.barDone)
        case .failed: return .flat(theme.failure)
        case .cancelled: return .flat(theme.cancelled)
        }
    }
}

extension RowState {
    /// How much of a complete body is hashed, below 1; `nil` when nothing is said of it. It has a bar of its own, which
    /// neither glides nor counts for the queue's.
    var verifiedFraction: Double? {
        guard case .verifying = phase, let verified, let size = size.known, size > .zero else { return nil }
        return Fraction(completed: verified.bytes, total: size.bytes, allSettled: false).value
    }

    /// The true place of the bar, for a row whose motion is not known yet.
    fileprivate var shownFraction: Double? {
        switch barReading.place {
        case .fraction(let fraction): fraction
        case .whole: 1
        case .unknown: nil
        }
    }
}
