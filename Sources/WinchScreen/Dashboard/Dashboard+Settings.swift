import WinchModel

/// The keys of the settings panel.
extension Dashboard {
    mutating func press(_ key: Key, in view: SettingsView, board: QueueCopy, now: Moment) -> [ScreenAction] {
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
        board: QueueCopy,
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
}
