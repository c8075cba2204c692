import WinchModel

extension Dashboard {
    /// Carries out the intents that open details, log, settings, columns and command line, or need the details.
    mutating func actOnPanels(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch intent {
        case .details:
            guard let id = selection.id, board[id] != nil else { return nothingSelected(board: board, now: now) }
            isDetailsOpen.toggle()
            detailsTop = 0
        case .scrollDetailsDown: scrollDetails(by: 1, board: board, now: now)
        case .scrollDetailsUp: scrollDetails(by: -1, board: board, now: now)
        case .openFolder: return ask(for: .openFolder, board: board, now: now)
        case .copyURL: return ask(for: .copyURL, board: board, now: now)
        case .editURL:
            guard readdressable(board: board, now: now) != nil else { return [] }
            return ask(for: .editURL, board: board, now: now)
        case .log: mode = .log(LogPanelView())
        case .settings: mode = .settings(SettingsView())
        case .nextTheme: useNextTheme(now: now)
        case .command: mode = .command(CommandPrompt())
        case .columns: openColumns()
        case .saveSettings: return [.save(settingsToSave(board: board, now: now))]
        default: break
        }
        return []
    }

    /// Reports in a notice why no row is selected.
    mutating func nothingSelected(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let words =
            if board.order.isEmpty {
                "No downloads yet; a adds one"
            } else {
                list.isFiltered ? "No rows match; Esc clears the filter" : "No rows here; press 1 to show all"
            }
        notice = Notice(words, now: now)
        return []
    }

    /// The details are open, and the screen is wide enough to show them beside the table.
    var areDetailsBeside: Bool { isDetailsOpen && columns >= DetailsPanel.leastBeside && layout.form != .line }

    /// Width of the table, in columns of the terminal.
    var tableColumns: Int { areDetailsBeside ? columns - DetailsPanel.widthBeside(columns) : columns }

    /// The table's columns as they are drawn.
    var columnLayout: ColumnLayout { .fitting(tableColumns, choice: columnChoice, isFleet: fleet != nil) }
}

// MARK: - Keys in panels

extension Dashboard {
    /// Lines inside a panel that covers the table, without its frame.
    var panelHeight: Int { max(1, layout.panelEnd - layout.panelTop - 2) }

    mutating func press(_ key: Key, in view: LogPanelView) {
        var view = view
        if keyMap[key] == .help, view.typing == nil { return mode = .panelKeys(.log, over: .log(view)) }
        switch view.press(key, intent: keyMap[key], journal: journal, height: panelHeight) {
        case .stays: mode = .log(view)
        case .closes: mode = .normal
        }
    }
}
