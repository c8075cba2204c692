import WinchModel

/// The line of a folder, which stands above its rows.
struct FolderRow {
    let frame: Frame
    let folder: FolderLine

    private var theme: Theme { frame.theme }
    private var look: Appearance { frame.look }
    private var sums: FolderSums { folder.sums }
    private var motion: BarAnimation? { frame.state.motions[folder.id] }
    private var isTagged: Bool { frame.state.list.tree?.isTagged(folder.id, frame.state.tags) ?? false }

    func draw(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let isTagged = self.isTagged
        let words = self.words
        let place = words.flatMap { self.place(for: $0, columns) }
        let state = self.state
        frame.drawLine(
            folder.id, isTagged: isTagged, sign: frame.run(String(look.symbols.state(state.symbol)), state.style),
            words: place.map { ($0.columns, Run($0.text, words?.style ?? theme.text)) }, on: &canvas, row: row,
            columns: columns
        ) { field, canvas in draw(field, isTagged: isTagged, on: &canvas, row: row, columns: columns) }
    }

    private func draw(
        _ field: ColumnLayout.Field, isTagged: Bool, on canvas: inout Canvas, row: Int, columns: ColumnLayout
    ) {
        func write(_ text: String, _ style: Style) {
            canvas.write(
                look.text(text), style, column: field.start, row: row, width: field.width,
                align: field.column.traits.alignment)
        }
        switch field.column {
        case .name: drawName(field, isTagged: isTagged, on: &canvas, row: row)
        case .bar: canvas.write(bar(width: field.width), column: field.start, row: row)
        case .percent: write(percent, textStyle)
        case .done: write(sums.allSettled ? "" : NumberFormat.bytes(ByteCount(bytes: folder.completed)), textStyle)
        case .size where columns[.state] == nil: drawCounts(field, on: &canvas, row: row)
        case .size: write(size(width: field.width), theme.quiet)
        case .state: drawCounts(field, on: &canvas, row: row)
        case .rate: write(folder.rate.map(NumberFormat.rate) ?? "", theme.text)
        case .left: write(left, theme.quiet)
        case .ends:
            write(timeLeft.map { frame.state.wallClock.time(of: frame.figuresAt + $0.span) } ?? "", theme.quiet)
        case .mark, .machine, .folder, .graph, .elapsed, .mean, .host, .added: break
        }
    }

    private func drawName(_ field: ColumnLayout.Field, isTagged: Bool, on canvas: inout Canvas, row: Int) {
        let place = field.start + FolderLine.indent(folder.level, in: field.width)
        let mark = String(folder.isOpen ? look.symbols.open : look.symbols.closed)
        let start = canvas.write(look.text(mark + " "), theme.key, column: place, row: row, width: field.end - place)
        canvas.write(
            look.text(folder.name), isTagged ? theme.tagged : textStyle, column: start, row: row,
            width: field.end - start, cut: .start)
        canvas.mark(.folder(folder.id), column: place, row: row, columns: min(2, field.end - place))
    }

    /// What matters most of the rows: what moves, then what the user may have to do something about. Rows that move in both
    /// directions have no arrow in common.
    private var state: (symbol: StateSymbol, style: Style) {
        if folder.rate != nil { return (folder.direction.map { StateSymbol(.moving, $0) } ?? .working, theme.moving) }
        if sums.contains(.working) || sums.contains(.verifying) { return (.working, theme.moving) }
        if sums.contains(.backoff) { return (.retrying, theme.warning) }
        if sums.contains(.waiting) || sums.contains(.held) { return (.waiting, theme.quiet) }
        if sums.contains(.paused) { return (.paused, theme.paused) }
        if sums[.failed] > 0 { return (.failed, theme.failure) }
        return sums[.cancelled] > 0 ? (.cancelled, theme.cancelled) : (.done, theme.done)
    }

    private var textStyle: Style { sums.allSettled ? theme.quiet : theme.text }

    /// Of failed rows their number first; then `ok/settled/all`, or less of it where there is no room.
    private func counts(width: Int) -> (failed: String, counts: String) {
        let (ok, settled, all) = (sums[.finished], sums.settled, sums.count)
        let failed = sums[.failed] > 0 ? "\(look.symbols.state(.failed))\(sums[.failed])" : ""
        let forms =
            failed.isEmpty
            ? ["\(ok)/\(settled)/\(all)", "\(settled)/\(all)", "\(all)"]
            : [" \(ok)/\(settled)/\(all)", " \(settled)/\(all)", " \(all)", ""]
        return (failed, forms.first { $0.count <= width - failed.count } ?? forms.last ?? "")
    }

    private func drawCounts(_ field: ColumnLayout.Field, on canvas: inout Canvas, row: Int) {
        let (failed, counts) = self.counts(width: field.width)
        let isRight = field.column.traits.alignment == .right
        let start = isRight ? max(field.start, field.end - failed.count - counts.count) : field.start
        let place = canvas.write(look.text(failed), theme.failure, column: start, row: row, width: field.end - start)
        canvas.write(look.text(counts), textStyle, column: place, row: row, width: field.end - place)
    }

    /// `~` before it: it contains guessed sizes. None when all has ended and something has not succeeded, of which the counts tell.
    private var percent: String {
        if sums.allSettled, !sums.allSucceeded { return "" }
        if sums.isIndeterminate { return "--" }
        return (sums.isEstimated ? "~" : "") + "\(folder.fraction.percent)%"
    }

    private func size(width: Int) -> String {
        if sums.isIndeterminate { return folder.completed > 0 ? "?" : "" }
        let size = NumberFormat.bytes(ByteCount(bytes: folder.total))
        // Without room for it, the percentage has the mark.
        return sums.isEstimated && size.count < width ? "~" + size : size
    }

    private var left: String {
        guard sums[.working] > 0 else { return "" }
        guard let timeLeft else { return "--" }
        // Where the header says "about", for which there is no room.
        return timeLeft.isGuessed
            ? "~" + TimeLeftFormat.rounded(timeLeft.span) : TimeLeftFormat.countdown(timeLeft.span)
    }

    private var timeLeft: (span: Duration, isGuessed: Bool)? { folder.left(in: frame.totals, at: frame.figuresAt) }

    private func bar(width: Int) -> [Cell] {
        let hasMoved = folder.completed > 0
        if sums.allSettled, !sums.allSucceeded || !(motion?.isFresh(at: frame.now) ?? false) {
            return Array(repeating: .blank, count: max(0, width))
        }
        let bar = ProgressBar(look: look, ink: ink, shape: .line)
        guard let shown = motion?.shown(at: frame.now) else {
            if folder.rate != nil, look.isAnimated { return bar.marquee(at: frame.now, width: width) }
            return hasMoved ? bar.hatched(width: width) : bar.cells(fraction: 0, width: width, hasMoved: false)
        }
        return bar.cells(fraction: shown, width: width, hasMoved: hasMoved, isFinished: sums.allSettled)
    }

    private var ink: ProgressBar.Ink {
        if theme.isRainbow, let motion { return .rainbow(motion.flowed(at: frame.now)) }
        if sums.allSettled { return .flat(theme.barFresh) }
        return look.gradient.map(ProgressBar.Ink.gradient) ?? .flat(theme.barMoving)
    }
}

/// The state of the row that lists the folder, which has no line of its own until it has failed.
extension FolderRow {
    private var words: StateDescription? { folder.listing.flatMap { frame[$0] }.map { frame.description(of: $0) } }

    /// The place of these words, and their longest form that fits there: behind the counts in the column of the state, or in place
    /// of them, and over the columns of rate and time left as long as no bytes move.
    private func place(for words: StateDescription, _ columns: ColumnLayout) -> (columns: Range<Int>, text: SafeText)? {
        guard let whole = columns.words else { return nil }
        let state = columns[.state]
        let end = folder.rate == nil ? whole.upperBound : state?.end ?? whole.lowerBound
        guard end > whole.lowerBound else { return nil }
        let forms = words.forms.map(look.text)
        if let state, sums.count > 0 {
            let (failed, counts) = self.counts(width: state.width)
            let start = state.start + failed.count + counts.count + 1
            if start < end, let text = forms.first(where: { $0.columns <= end - start }) { return (start..<end, text) }
        }
        let text = forms.first { $0.columns <= end - whole.lowerBound } ?? forms.last
        return text.map { (whole.lowerBound..<end, $0) }
    }

    /// The state in full for the line of the selected row; `nil`: the table shows it.
    var stateText: Run? {
        guard let words, place(for: words, frame.state.columnLayout)?.text != look.text(words.reason) else {
            return nil
        }
        return frame.run("\(words.sign) \(words.reason)", words.style)
    }
}

extension FolderLine {
    /// Two columns a level, and of a narrow column a third at most.
    static func indent(_ level: Int, in width: Int) -> Int { min(2 * level, max(0, width / 3)) }
}
