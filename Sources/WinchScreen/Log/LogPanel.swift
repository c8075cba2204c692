import WinchModel

/// The log over the whole table.
struct LogPanel {
    let frame: Frame
    let view: LogPanelView

    private var look: Appearance { frame.look }
    private var theme: Theme { frame.theme }

    func draw(on canvas: inout Canvas) {
        let (layout, journal) = (frame.state.layout, frame.state.journal)
        let height = frame.state.panelHeight
        PanelBox(look: look, column: 0, row: layout.panelTop, columns: canvas.columns, rows: height + 2)
            .draw(
                on: &canvas, title: [frame.run("Log", theme.title)] + filter,
                note: [frame.run(place(in: journal), theme.quiet)])
        let numbers = view.visible(journal, height: height)
        for (offset, number) in numbers.enumerated() {
            guard let entry = journal[number] else { continue }
            draw(entry, on: &canvas, row: layout.panelTop + 1 + offset)
        }
        if numbers.isEmpty {
            canvas.write(
                look.text("Nothing of this kind has happened."), theme.quiet, column: 2, row: layout.panelTop + 1,
                width: canvas.columns - 4)
        }
    }

    private var filter: [Run] {
        let level = view.level == .error ? "errors" : "\(view.level.rawValue) and above"
        let words = view.words.isEmpty ? "" : " with '\(view.words)'"
        return [frame.separator, frame.run((view.level == .debug ? "all" : level) + words, theme.quiet)]
    }

    private func place(in journal: LogPanelEntries) -> String {
        view.bottom == nil ? "following" : "\(journal.end - (view.bottom ?? 0) - 1) later"
    }

    /// Draws `09:41:07 WARN  #12 name    message` with aligned messages; in a narrow window without the time.
    private func draw(_ entry: LogEntry, on canvas: inout Canvas, row: Int) {
        let end = canvas.columns - 2
        var column = 2
        func write(_ text: String, _ style: Style, width: Int? = nil, cut: SafeText.Cut = .end) {
            column = canvas.write(
                look.text(text), style, column: column, row: row, width: min(width ?? .max, end - column), cut: cut)
        }
        let isWide = canvas.columns >= 60
        if isWide { write(frame.state.wallClock.time(of: entry.at) + " ", theme.quiet) }
        write(entry.level.mark + " ", style(of: entry.level))
        if let id = entry.id {
            let (start, width) = (column, min(40, max(12, canvas.columns / 4)))
            let name = entry.name.map { " \($0)" } ?? ""
            write("#\(id.number)\(name)", theme.key, width: width, cut: .beforeExtension)
            column = (isWide ? start + width : column) + 2
        }
        write(entry.message, entry.level == .debug ? theme.debug : theme.text)
    }

    private func style(of level: LogLevel) -> Style {
        switch level {
        case .error: theme.failure
        case .warning: theme.warning
        case .info: theme.moving
        case .debug: theme.debug
        }
    }
}

extension LogLevel {
    /// Five letters, so that the text after it is aligned.
    var mark: String {
        switch self {
        case .error: "ERROR"
        case .warning: "WARN "
        case .info: "INFO "
        case .debug: "DEBUG"
        }
    }
}
