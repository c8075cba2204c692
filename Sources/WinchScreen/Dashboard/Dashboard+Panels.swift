import WinchModel

/// An action that waits until the details of a transfer have arrived.
struct Awaited: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case openFolder, copyURL, editURL
    }

    let id: TransferID
    let purpose: Purpose
}

extension Dashboard {
    /// Carries out the intents that open details, log, settings, columns and command line, or need the details.
    mutating func actOnPanels(_ intent: KeyAction, board: QueueMirror, now: Moment) -> [ScreenAction] {
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
        case .log: mode = .log(LogView())
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
    mutating func nothingSelected(board: QueueMirror, now: Moment) -> [ScreenAction] {
        let words =
            if board.order.isEmpty {
                "No downloads yet; a adds one"
            } else {
                list.isFiltered ? "No rows match; Esc clears the filter" : "No rows here; press 1 to show all"
            }
        notice = Notice(words, now: now)
        return []
    }

    /// The selected transfer if its URL can be changed; else `nil`, and a notice says why.
    mutating func readdressable(board: QueueMirror, now: Moment) -> TransferID? {
        guard let id = selection.id, let row = board[id] else {
            _ = nothingSelected(board: board, now: now)
            return nil
        }
        guard KeyContext(selected: row, totals: board.totals).satisfies(.selectedCanChangeURL) else {
            let reason = row.direction == .up ? "it is an upload" : row.phase.inapplicableReason
            notice = Notice("Its URL cannot be changed: \(reason)", now: now)
            return nil
        }
        return id
    }

    private mutating func scrollDetails(by lines: Int, board: QueueMirror, now: Moment) {
        guard isDetailsOpen, let panel = detailsPanel(board: board, now: now) else {
            notice = Notice("No details are open; Enter opens them", now: now)
            return
        }
        detailsTop = min(max(0, detailsTop + lines * max(1, panel.height / 2)), panel.lastTop)
    }

    /// Carries out `purpose` at once if the details are known, else when they arrive.
    private mutating func ask(for purpose: Awaited.Purpose, board: QueueMirror, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, board[id] != nil else { return nothingSelected(board: board, now: now) }
        awaited = Awaited(id: id, purpose: purpose)
        return arrived(board: board, now: now)
    }

    /// Carries out the waiting action if its details have arrived.
    mutating func arrived(board: QueueMirror, now: Moment) -> [ScreenAction] {
        guard let awaited, let details = board.details, details.id == awaited.id else { return [] }
        self.awaited = nil
        switch awaited.purpose {
        case .openFolder:
            notice = Notice("Opening \(details.place)", now: now)
            return [.openFolder(details.place)]
        case .copyURL:
            notice = Notice("Copied \(details.url)", now: now)
            return [.copy(details.url)]
        case .editURL:
            // A prompt, dialog or panel that the user has opened meanwhile is not replaced.
            if mode == .normal { mode = .editing(details.id, Prompt(text: details.url)) }
            return []
        }
    }

    /// Tells the engine which transfer's details the screen needs, if that has changed.
    mutating func watch(board: QueueMirror) -> [ScreenAction] {
        let wanted = awaited?.id ?? (isDetailsOpen && layout.form != .line ? selection.id : nil)
        guard wanted != watched else { return [] }
        watched = wanted
        return [.send(.watch(wanted))]
    }

    /// The details are open, and the screen is wide enough to show them beside the table.
    var areDetailsBeside: Bool { isDetailsOpen && columns >= DetailsPanel.leastBeside && layout.form != .line }

    /// Width of the table, in columns of the terminal.
    var tableColumns: Int { areDetailsBeside ? columns - DetailsPanel.widthBeside(columns) : columns }

    /// The table's columns as they are drawn.
    var columnLayout: ColumnLayout { .fitting(tableColumns, choice: columnChoice) }
}

// MARK: - Keys in panels

extension Dashboard {
    /// Lines inside a panel that covers the table, without its frame.
    var panelHeight: Int { max(1, layout.panelEnd - layout.panelTop - 2) }

    mutating func press(_ key: Key, in view: LogView) {
        var view = view
        if keyMap[key] == .help, view.typing == nil { return mode = .panelKeys(.log, over: .log(view)) }
        switch view.press(key, intent: keyMap[key], journal: journal, height: panelHeight) {
        case .stays: mode = .log(view)
        case .closes: mode = .normal
        }
    }

    mutating func press(_ key: Key, in view: SettingsView, board: QueueMirror, now: Moment) -> [ScreenAction] {
        var view = view
        let settings = settingsShown(board: board)
        let (count, height) = (settings.count, settingsHeight)
        var actions: [ScreenAction] = []
        let marked = settings.indices.contains(view.index) ? settings[view.index] : nil
        if let line = view.typing { return press(key, typing: line, of: marked, in: view, board: board, now: now) }
        switch (key, keyMap[key]) {
        case (.left, _), (.right, _), (" ", _), ("+", _), ("-", _), ("=", _):
            guard let marked else { break }
            guard let live = LiveSetting(marked.name) else {
                notice = Notice(onlyAtStart(marked), now: now)
                break
            }
            let isNext = key != .left && key != "-"
            let next = adjacentValue(of: live, isNext: isNext, board: board)
            do throws(InputError) {
                actions = try change(live, to: next, board: board, now: now)
            } catch {
                notice = Notice(error.words, now: now)
            }
        case (.enter, _):
            guard let marked else { break }
            guard let live = LiveSetting(marked.name) else {
                notice = Notice(onlyAtStart(marked), now: now)
                break
            }
            notice = nil
            view.typing = CommandPrompt(Prompt(text: value(of: live, board: board), isSelected: true))
        case (_, .up): view.move(to: view.index - 1, count: count, height: height)
        case (_, .down): view.move(to: view.index + 1, count: count, height: height)
        case (_, .pageUp): view.move(to: view.index - height, count: count, height: height)
        case (_, .pageDown): view.move(to: view.index + height, count: count, height: height)
        case (_, .first): view.move(to: 0, count: count, height: height)
        case (_, .last): view.move(to: count - 1, count: count, height: height)
        case (_, .saveSettings): actions = [.save(settingsToSave(board: board, now: now))]
        case (_, .help):
            mode = .panelKeys(.settings, over: .settings(view))
            return []
        case (_, .back), (_, .settings), (_, .quit):
            mode = .normal
            return []
        default: break
        }
        mode = .settings(view)
        return actions
    }

    /// Handles a key while the selected setting's value is being edited.
    private mutating func press(
        _ key: Key, typing line: CommandPrompt, of marked: SettingsList.NameValueLine?, in view: SettingsView,
        board: QueueMirror,
        now: Moment
    ) -> [ScreenAction] {
        var (line, view) = (line, view)
        var actions: [ScreenAction] = []
        guard let live = marked.flatMap({ LiveSetting($0.name) }) else {
            view.typing = nil
            mode = .settings(view)
            return []
        }
        let choices = live.choices(themes: themes)
        switch line.press(key, history: [], candidates: { typed in choices.filter { $0.hasPrefix(typed) } }) {
        case .edited, .ignored: view.typing = line
        case .closed: view.typing = nil
        case .entered:
            do throws(InputError) {
                actions = try change(live, to: line.text, board: board, now: now)
                view.typing = nil
            } catch {
                view.typing = line.refused(error)
            }
        }
        mode = .settings(view)
        return actions
    }

    private func onlyAtStart(_ setting: SettingsList.NameValueLine) -> String {
        "\(setting.name) can only be set at the start: --\(setting.name) or a line of winch.conf"
    }

    mutating func press(_ key: Key, editing id: TransferID, _ prompt: Prompt, now: Moment) -> [ScreenAction] {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored: mode = .editing(id, prompt)
        case .closed: mode = .normal
        case .entered:
            do throws(InputError) {
                let actions = try setURL(of: id, to: prompt.text, now: now)
                mode = .normal
                return actions
            } catch {
                mode = .editing(id, prompt.refused(error))
            }
        }
        return []
    }
}
