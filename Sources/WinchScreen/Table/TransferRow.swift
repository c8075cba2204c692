import WinchModel

struct TransferRow {
    let frame: Frame
    let transfer: TransferSnapshot
    /// The path that is shown before its name.
    var path = ""
    /// How far its name is indented below its folder.
    var level = 0

    private var theme: Theme { frame.theme }
    private var look: Appearance { frame.look }
    private var times: RowTimes { frame.state.list.times }
    private var motion: BarAnimation? { frame.state.motions[transfer.id] }
    /// Why the bar has just moved back. Shown for a few seconds in place of rate and time left.
    private var cause: Rebase? { motion?.cause(at: frame.now) }
    private var isTagged: Bool { frame.state.tags.contains(transfer.id) }

    func draw(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let words = frame.description(of: transfer, cause: cause)
        let place = place(for: words, columns: columns)
        frame.drawLine(
            transfer.id, isTagged: isTagged, sign: frame.run(String(words.sign), words.style),
            words: place.map { ($0.columns, Run($0.text, isQuiet ? theme.quiet : words.style)) }, on: &canvas, row: row,
            columns: columns
        ) { field, canvas in draw(field, on: &canvas, row: row, columns: columns) }
    }

    private func draw(_ field: ColumnLayout.Field, on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        func write(_ text: String, _ style: Style, cut: SafeText.Cut = .end) {
            canvas.write(
                look.text(text), style, column: field.start, row: row, width: field.width,
                align: field.column.traits.alignment, cut: cut)
        }
        switch field.column {
        case .name: drawName(field, end: startOfBytes(columns).map { $0 - 1 } ?? field.end, on: &canvas, row: row)
        case .machine: write(frame.state.fleet?.machineOf[transfer.id] ?? "", theme.quiet)
        case .folder: write(transfer.localFolder, theme.quiet, cut: .start)
        case .bar: drawBar(field, on: &canvas, row: row, columns: columns)
        case .percent where showsBytesInBar(columns): break
        case .percent:
            if let start = startOfBytes(columns) {
                canvas.write(
                    look.text(done), textStyle, column: start, row: row, width: field.end - start, align: .right)
            } else {
                write(percent, textStyle)
            }
        case .done: write(done, textStyle)
        case .size where isOfUnknownSize && columns[.done] == nil: write(done, textStyle)
        case .size: write(size, theme.quiet)
        case .rate: write(rate.map(NumberFormat.rate) ?? "", theme.text)
        case .left: write(finish.map { TimeLeftFormat.countdown($0 - frame.figuresAt) } ?? "", theme.quiet)
        case .ends: write(finish.map(frame.state.wallClock.time(of:)) ?? "", theme.quiet)
        case .graph: canvas.write(curve(width: field.width), column: field.start, row: row)
        case .elapsed:
            write(times.elapsed(transfer.id, at: frame.figuresAt).map(DurationFormat.text) ?? "", theme.quiet)
        case .mean: write(times.meanRate(of: transfer, at: frame.figuresAt).map(NumberFormat.rate) ?? "", theme.quiet)
        case .added: write(times.added(transfer.id).map(frame.state.wallClock.time(of:)) ?? "", theme.quiet)
        case .mark, .state: break
        case .host: write(transfer.host, theme.quiet)
        }
    }

    private func drawName(_ field: ColumnLayout.Field, end: Int, on canvas: inout Canvas, row: Int) {
        let name = look.text(transfer.name)
        var place = field.start + FolderLine.indent(level, in: field.width)
        if !path.isEmpty {
            // Of a long name the path takes a third at most.
            let width = end - field.start
            let room = max(width - name.columns, width / 3)
            place = canvas.write(
                look.text(path), theme.quiet, column: place, row: row, width: min(room, width), cut: .start)
        }
        canvas.write(
            name, isTagged ? theme.tagged : textStyle, column: place, row: row, width: end - place,
            cut: .beforeExtension)
    }

    /// The percentage of such a transfer is unknown too: its bytes are the only figure of its progress.
    private var isOfUnknownSize: Bool {
        if case .finished = transfer.phase { return false }
        return transfer.size.known == nil && transfer.have > .zero
    }

    /// Without a column for bytes they take the place of the percentage and the end of the bar.
    private func showsBytesInBar(_ columns: ColumnLayout) -> Bool {
        isOfUnknownSize && columns[.done] == nil && columns[.size] == nil && columns[.bar] != nil
    }

    /// In the narrowest table, which has no bar either, they take the place of the percentage and the end of the name, where
    /// enough of that is left; `nil`: they are not shown there.
    private func startOfBytes(_ columns: ColumnLayout) -> Int? {
        guard isOfUnknownSize, columns.fields.map(\.column) == [.mark, .name, .percent], let name = columns[.name],
            let end = columns[.percent]?.end
        else { return nil }
        let start = end - ColumnLayout.Column.done.traits.least
        return start - 1 - name.start >= ColumnLayout.Column.name.traits.least ? start : nil
    }

    private func drawBar(_ field: ColumnLayout.Field, on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        guard showsBytesInBar(columns) else {
            canvas.write(bar(width: field.width), column: field.start, row: row)
            return
        }
        let percent = columns[.percent]
        let end = percent?.start == field.end + 1 ? percent?.end ?? field.end : field.end
        let room = max(0, end - field.start - ColumnLayout.Column.done.traits.least - 1)
        canvas.write(bar(width: room), column: field.start, row: row)
        canvas.write(
            look.text(done), textStyle, column: end - ColumnLayout.Column.done.traits.least, row: row,
            width: ColumnLayout.Column.done.traits.least, align: .right)
    }

    /// Waiting, finished and cancelled rows are less prominent than all others.
    private var textStyle: Style {
        switch transfer.phase {
        case .waiting, .finished, .cancelled: theme.quiet
        case .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying, .failed: theme.text
        }
    }

    /// A transfer that finished without a warning: only its sign has a colour.
    private var isQuiet: Bool { if case .finished = transfer.phase { transfer.doubt == nil } else { false } }

    private var percent: String {
        if hasNoBar, transfer.percent != 100 { return "" }
        return transfer.percent.map { "\($0)%" } ?? "--"
    }

    /// Bytes on disk; empty for a finished transfer, where it would repeat the size.
    private var done: String {
        if case .finished = transfer.phase { return "" }
        return transfer.have > .zero ? NumberFormat.bytes(transfer.have) : ""
    }

    private var size: String {
        if let size = transfer.size.known { return NumberFormat.bytes(size) }
        if case .finished = transfer.phase { return NumberFormat.bytes(transfer.have) }
        return transfer.have > .zero ? "?" : ""
    }

    private var rate: ByteRate? { isRunning ? transfer.rate : nil }
    private var finish: Moment? { isRunning ? transfer.finish : nil }
    private var isRunning: Bool { transfer.phase == .moving && !transfer.isSilent }

    /// The rates of the last minute, scaled to the highest of them.
    private func curve(width: Int) -> [Cell] {
        let means = frame.state.rates.means(transfer.id, at: frame.now).suffix(width)
        guard isRunning, let highest = means.max(), highest > 0 else { return [] }
        return means.map { Cell(look.symbols.level($0 > 0 ? 1 + Int(7 * $0 / highest) : 1), theme.graph) }
    }
}

extension TransferRow {
    /// The place of the words for the state, and their longest form that fits there. They begin in the same column in
    /// all states.
    ///
    /// While bytes move, the columns of rate and time left show numbers: the words are limited to the state column,
    /// and without that column they are shown only for an unusual state. The total limit is not one: it holds back
    /// all rows, the summary names it, and without numbers no row would show its rate.
    private func place(for words: StateDescription, columns: ColumnLayout) -> (columns: Range<Int>, text: SafeText)? {
        let forms = words.forms.map(look.text)
        // Where the words are too narrow for a reason, a failed row needs its bar less than its reason.
        if case .failed = transfer.phase, columns.words?.count ?? 0 < Self.leastForReason,
            let start = columns[.bar]?.start, let end = columns.fields.last?.end
        {
            return (forms.first { $0.columns <= end - start } ?? forms.last).map { (start..<end, $0) }
        }
        guard let range = columns.words else { return nil }
        let isPlain = hasNumbers && cause == nil && (!transfer.isAtRateLimit || frame.isTotalLimited(transfer))
        let own = columns[.state]
        if isPlain, own == nil { return nil }
        let start = range.lowerBound
        let end = hasNumbers && cause == nil ? own?.end ?? range.upperBound : range.upperBound
        return (forms.first { $0.columns <= end - start } ?? forms.last).map { (start..<end, $0) }
    }

    /// The columns of the usual short reason of a failure, such as `connection timed out`.
    private static let leastForReason = 20

    /// The table shows everything about the row's state.
    func isInFull(_ columns: ColumnLayout) -> Bool {
        if hasNumbers, cause == nil, transfer.split?.connections ?? 0 < 2 {
            return columns[.rate] != nil && (!transfer.isAtRateLimit || columns[.state] != nil)
        }
        let words = frame.description(of: transfer, cause: cause)
        return place(for: words, columns: columns).map { $0.text == words.forms.first.map(look.text) } ?? false
    }

    /// A rate and a time left; the listing of a folder has none.
    private var hasNumbers: Bool { isRunning && transfer.found == nil }

    /// The row has no bar because nothing of it is moving: an empty or full bar would only distract from those that
    /// move.
    private var hasNoBar: Bool {
        switch transfer.phase {
        case .waiting, .failed, .cancelled: transfer.have == .zero
        case .finished: !(motion?.isFresh(at: frame.now) ?? false)
        case .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying: false
        }
    }

    private func bar(width: Int) -> [Cell] {
        if hasNoBar { return Array(repeating: .blank, count: width) }
        let bar = ProgressBar(look: look, ink: ink, shape: .line)
        let hasMoved = transfer.have.bytes > 0
        guard let shown = motion?.shown(at: frame.now) else {
            if isRunning, look.isAnimated { return bar.marquee(at: frame.now, width: width) }
            return hasMoved ? bar.hatched(width: width) : bar.cells(fraction: 0, width: width, hasMoved: false)
        }
        if let verified = transfer.verifiedFraction {
            return ProgressBar(look: look, ink: .flat(theme.paused), shape: .line).cells(
                fraction: verified, width: width, hasMoved: true)
        }
        if case .finished = transfer.phase {
            return bar.cells(fraction: shown, width: width, hasMoved: true, isFinished: true)
        }
        if let parts = motion?.parts { return bar.cells(parts.shown(at: frame.now), width: width) }
        return bar.cells(fraction: shown, width: width, hasMoved: hasMoved)
    }

    private var ink: ProgressBar.Ink {
        let flowing: ProgressBar.Ink? = theme.isRainbow ? motion.map { .rainbow($0.flowed(at: frame.now)) } : nil
        switch transfer.phase {
        case .moving where transfer.isSilent: return flowing ?? .flat(theme.warning)
        case .waiting, .connecting, .requested, .moving, .replying, .verifying:
            return flowing ?? look.gradient.map(ProgressBar.Ink.gradient) ?? .flat(theme.barMoving)
        case .paused: return flowing ?? .flat(theme.paused)
        case .backoff: return flowing ?? .flat(theme.warning)
        case .finished: return flowing ?? .flat(theme.barFresh)
        case .failed: return .flat(theme.failure)
        case .cancelled: return .flat(theme.cancelled)
        }
    }
}

extension TransferSnapshot {
    /// The share of a complete file that is verified (hashed), below 1; `nil` if not reported. It has its own bar,
    /// which is not animated and not part of the queue's bar.
    var verifiedFraction: Double? {
        guard case .verifying = phase, let verified, let size = size.known, size > .zero else { return nil }
        return Fraction(completed: verified.bytes, total: size.bytes, allSettled: false).value
    }
}

extension Frame {
    /// Draws the line of a transfer or a folder: its fields, but for those in whose place the words of its state stand.
    ///
    /// - Parameters:
    ///   - sign: of its state; it, the cursor and the tag are characters, so that none depends on colour alone.
    ///   - draw: draws any field but the mark.
    func drawLine(
        _ id: TransferID, isTagged: Bool, sign: Run, words: (columns: Range<Int>, run: Run)?, on canvas: inout Canvas,
        row: Int, columns: ColumnLayout, field draw: (ColumnLayout.Field, inout Canvas) -> Void
    ) {
        let isSelected = state.selection.id == id
        for field in columns.fields where !(words?.columns.contains(field.start) ?? false) {
            guard field.column == .mark else {
                draw(field, &canvas)
                continue
            }
            let selection = look.text(String(look.symbols.selection))
            if isSelected { canvas.write(selection, theme.key, column: field.start, row: row) }
            if isTagged {
                // In the selected row the tag is drawn beside the cursor. It is not underlined.
                let style = Style(foreground: theme.tagged.foreground, isBold: theme.tagged.isBold)
                let place = isSelected ? field.start + 1 : field.start
                canvas.write(look.text(String(look.symbols.tagBar)), style, column: place, row: row)
            }
            canvas.write(sign.text, sign.style, column: field.start + 2, row: row)
        }
        if let (place, run) = words {
            canvas.write(run.text, run.style, column: place.lowerBound, row: row, width: place.count)
        }
        guard let highlight = highlight(isSelected: isSelected, isTagged: isTagged) else { return }
        canvas.restyle(column: 0, row: row, columns: state.tableColumns, highlight)
    }

    /// The style of a selected or tagged line, over its whole width.
    ///
    /// With 256 colours, text keeps its colours on a background shade. Otherwise a selected line is drawn in one style
    /// from end to end, since one colour of the user's palette on another may be unreadable.
    private func highlight(isSelected: Bool, isTagged: Bool) -> ((Style) -> Style)? {
        guard isSelected || isTagged else { return nil }
        let (selected, quiet) = (theme.selected, theme.quiet)
        let shade = isSelected ? theme.selectedRow : theme.taggedRow
        guard look.colors >= .many, shade.background != .standard else {
            guard isSelected else { return nil }
            return { style in
                var uniform = selected
                uniform.isUnderlined = uniform.isUnderlined || style.isUnderlined
                return uniform
            }
        }
        return { style in
            var style = style
            style.background = shade.background
            // Dim text, and text in the terminal's default colour, might be unreadable on the shade.
            if style.foreground == .standard || style.isDim || style.foreground == quiet.foreground {
                style.foreground = shade.foreground
            }
            style.isDim = false
            style.isBold = style.isBold || shade.isBold
            return style
        }
    }
}
