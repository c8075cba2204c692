import WinchModel

/// One frame of the dashboard: draws the widgets at the places of the layout.
struct Frame {
    let state: Dashboard
    let board: QueueCopy
    let now: Moment

    var look: Appearance { state.look }
    var theme: Theme { state.look.theme }
    var totals: QueueTotals { state.awaitingAnswer.applied(to: state.shown(board.totals)) }
    var selected: TransferSnapshot? { state.selection.id.flatMap { self[$0] } }
    var selectedFolder: FolderLine? { state.selection.id.flatMap(folder) }
    /// The instant for which figures that depend on the time are computed.
    var figuresAt: Moment { FigureRefresh.instant(now) }

    /// The row with the figures to show.
    subscript(id: TransferID) -> TransferSnapshot? { board[id].map(state.shown) }

    /// The folder of a line with the figures to show; `nil`: the line is a row.
    func folder(_ id: TransferID) -> FolderLine? { state.list.folder(id, board.totals).map(state.shown) }

    func draw() -> Canvas {
        var canvas = Canvas(columns: state.columns, rows: state.rows)
        let (layout, summary) = (state.layout, SummaryLine(frame: self))
        let width = state.columns - 2 * layout.margin
        switch layout.form {
        case .line:
            drawSmall(on: &canvas)
            return canvas
        case .compact: summary.compact.draw(on: &canvas, column: layout.margin, row: 0, width: width)
        case .roomy:
            summary.title.draw(on: &canvas, column: layout.margin, row: 0, width: width)
            summary.figures.draw(on: &canvas, column: layout.margin, row: 2, width: width)
            TabBar(frame: self).draw(on: &canvas, row: 3)
        }
        QueueBarLine(frame: self).draw(on: &canvas, row: 1, form: layout.form)
        if !layout.graph.isEmpty { drawGraph(on: &canvas, layout: layout) }
        if let fleet = state.fleet {
            MachineTable(look: look, fleet: fleet, now: figuresAt)
                .draw(on: &canvas, column: layout.margin, rows: layout.machines, columns: width)
        }
        TransferTable(frame: self).draw(on: &canvas, layout: layout)
        if state.isDetailsOpen { state.detailsPanel(board: board, now: now)?.draw(on: &canvas) }
        drawPanel(of: state.mode, on: &canvas, layout: layout)
        FooterLine(frame: self).draw(on: &canvas, row: layout.footer)
        return canvas
    }

    /// Draws the box of a panel that covers the table.
    func drawBox(on canvas: inout Canvas, title: [Run], note: String) {
        PanelBox(
            look: look, column: 0, row: state.layout.panelTop, columns: canvas.columns, rows: state.panelHeight + 2
        )
        .draw(on: &canvas, title: title, note: [run(note, theme.quiet)])
    }

    private func drawPanel(of mode: Mode, on canvas: inout Canvas, layout: ScreenLayout) {
        switch mode {
        case .log(let view): LogPanel(frame: self, view: view).draw(on: &canvas)
        case .settings(let view):
            SettingsPanel(frame: self, view: view).draw(on: &canvas)
            if let line = view.typing {
                let all = state.choices(of: view, board: board).filter { $0.hasPrefix(line.shownFor) }
                PathCompletionList(frame: self, line: line, all: all.map { ($0, "") })
                    .draw(on: &canvas, above: layout.footer)
            }
        case .columns(let view): ColumnsPanel(view: view, look: look).draw(on: &canvas, layout: layout)
        case .machines(let top): MachinesPanel(frame: self, top: top).draw(on: &canvas)
        case .help(let top): state.helpPanel.draw(on: &canvas, top: top)
        case .panelKeys(let keys, let panel):
            drawPanel(of: panel, on: &canvas, layout: layout)
            PanelKeysBox(keys: keys, look: look).draw(on: &canvas, above: layout.footer)
        case .command(let line):
            if drawPaths(on: &canvas, above: layout.footer) { break }
            PathCompletionList(frame: self, line: line, all: state.completions(of: line.shownFor))
                .draw(on: &canvas, above: layout.footer)
        case .prompt: drawPaths(on: &canvas, above: layout.footer)
        case .question(let question):
            DialogBox(dialog: state.dialog(for: question, board: board), look: look)
                .draw(on: &canvas, above: layout.footer)
        case .secret(let inquiry, _): DialogBox(dialog: inquiry, look: look).draw(on: &canvas, above: layout.footer)
        case .normal, .filter, .limit, .editing, .quitting: break
        }
    }

    /// Draws the completions of a path being typed.
    ///
    /// - Returns: `false` if there are none.
    @discardableResult
    private func drawPaths(on canvas: inout Canvas, above footer: Int) -> Bool {
        guard let choices = state.pathChoices else { return false }
        PathCompletionList(frame: self, chosen: choices.chosen, all: choices.names.map { ($0, "") })
            .draw(on: &canvas, above: footer)
        return true
    }

    private func drawGraph(on canvas: inout Canvas, layout: ScreenLayout) {
        let columns = canvas.columns - 2 * layout.margin
        let current = totals.active > 0 ? totals.rate : nil
        guard let graph = RateGraph(board.history, look: look, current: current, mean: totals.meanRate) else {
            canvas.write(
                look.text("The total rate is shown here as soon as bytes arrive."), theme.quiet, column: layout.margin,
                row: layout.graph.lowerBound + layout.graph.count / 2, width: columns)
            return
        }
        graph.draw(
            on: &canvas, column: layout.margin, row: layout.graph.lowerBound, columns: columns,
            rows: layout.graph.count, namesCurrent: false)
    }

    /// Draws a window that is too small for the whole table. A prompt, question or notice has priority over the totals,
    /// since keys go there.
    private func drawSmall(on canvas: inout Canvas) {
        let footer = FooterLine(frame: self)
        let wantsKeys = state.mode != .normal || state.message != nil
        if !wantsKeys || canvas.rows > 1 { TinyWindowLine(frame: self).draw(on: &canvas, row: 0) }
        TransferTable(frame: self).draw(on: &canvas, layout: state.layout)
        if wantsKeys { footer.draw(on: &canvas, row: canvas.rows - 1) }
    }

    /// The selected row's state in words, that of a folder's listing, or a note about a file, if the table cannot show all of it.
    /// Figures are not repeated.
    var stateText: Run? {
        if let selectedFolder { return FolderRow(frame: self, folder: selectedFolder).stateText }
        // Open details show the state in full, and the table shows everything about a row that moves normally.
        guard !state.isDetailsOpen, let selected else { return nil }
        if let note = note(on: selected) { return note }
        if case .waiting = selected.phase {
            let words = description(of: selected)
            if words.reason != words.forms.first { return run("\(words.sign) \(words.reason)", words.style) }
        }
        guard
            selected.phase != .moving || selected.stalledSince != nil || selected.isAtRateLimit
                || selected.split?.connections ?? 0 > 1,
            !TransferRow(frame: self, transfer: selected).isInFull(state.columnLayout)
        else { return nil }
        let words = description(of: selected)
        return run("\(words.sign) \(words.forms.first ?? "")", words.style)
    }

    /// The note about a file that is moving or done. Its row, unlike that of a file with a warning, does not show it. How an
    /// upload's stream was kept is told in the details alone.
    private func note(on row: TransferSnapshot) -> Run? {
        guard let warning = row.warning, warning.isNote, warning != .streamKept, row.stalledSince == nil else {
            return nil
        }
        switch row.phase {
        case .moving, .finished: break
        case .waiting, .connecting, .requested, .paused, .backoff, .replying, .verifying, .failed, .cancelled:
            return nil
        }
        let sign = "\(description(of: row).sign) note: "
        let whole = run(sign + warning.message, theme.text)
        if whole.text.columns <= state.tableColumns - 2 * state.layout.margin { return whole }
        return run("\(sign)\(warning.shortMessage); Enter shows more", theme.text)
    }

    func description(of row: TransferSnapshot, cause: Rebase? = nil) -> StateDescription {
        StateDescription(
            row, cause: cause, now: now, look: look,
            isTotalLimited: isTotalLimited(row),
            awaitsAnswer: state.asks.isOpen(row.phase))
    }

    /// The limit that the transfer may have reached is that over all transfers.
    func isTotalLimited(_ row: TransferSnapshot) -> Bool { !row.isLimitOwn && board.totals.limits(row.direction) }

    func run(_ text: String, _ style: Style) -> Run { Run(look.text(text), style) }

    func part(_ text: String, _ style: Style, rank: Int, least: Int? = nil, target: HitMap.Target? = nil) -> Part {
        Part([run(text, style)], rank: rank, least: least, target: target)
    }

    var separator: Run { run(" \(look.symbols.dot) ", theme.quiet) }
}

struct ScreenLayout: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// Below 40x8: one line of totals, and rows without a heading where there are lines for them.
        case line
        /// Below 16 rows: counts in the first line, the bar with its words in the second.
        case compact
        /// Title, bar over the whole width, figures, tabs; one line each.
        case roomy
    }

    let form: Form
    /// Columns left free at both sides.
    let margin: Int
    let heading: Int
    /// Lines of the graph of the total rate; empty where there is no room.
    let graph: Range<Int>
    /// Lines of the machines of a fleet and their heading; empty where there is no room, and without a fleet.
    let machines: Range<Int>
    /// First line of a panel that covers the table, and the graph and the machines with it.
    var panelTop: Int { [graph, machines].first { !$0.isEmpty }?.lowerBound ?? heading }
    let table: Range<Int>
    /// The line for messages. Without a message it shows the selected row's state if the table cannot show all of it.
    /// `nil` below 24 rows: there a message covers a row of the table, and the state is shown in the footer.
    let message: Int?
    let footer: Int
    /// The line below the last one of a panel that covers the table.
    var panelEnd: Int { message ?? footer }

    /// - Parameter count: machines of a fleet; 0: there is none.
    init(columns: Int, rows: Int, machines count: Int = 0) {
        footer = max(0, rows - 1)
        margin = columns >= 60 ? 1 : 0
        guard columns >= 40, rows >= 8 else {
            (form, heading, table, graph, machines, message) = (.line, 0, 1..<max(1, footer), 0..<0, 0..<0, nil)
            return
        }
        form = rows < 16 ? .compact : .roomy
        // With 60 columns the graph shows at least most of a minute. Its last line is the time axis.
        let usual = columns < 60 || rows < 30 ? 0 : rows < 36 ? 4 : rows < 44 ? 5 : 7
        // The machines have a quarter of the screen at most, and come before the graph.
        let strip = count == 0 || rows < 20 ? 0 : min(count + 1, rows / 4)
        let height = strip > 0 && rows < 36 ? 0 : usual
        graph = 4..<4 + height
        machines = graph.upperBound..<graph.upperBound + strip
        heading = rows < 16 ? 2 : machines.upperBound + (height > 0 && rows >= 44 ? 1 : 0)
        // From 24 rows on a separate line costs little, and the footer's keys stay visible while a message is shown.
        message = rows < 24 ? nil : footer - 1
        table = heading + 1..<(message ?? footer)
    }
}
