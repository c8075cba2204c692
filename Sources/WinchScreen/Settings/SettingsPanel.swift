import WinchModel

struct SettingsPanel {
    let frame: Frame
    let view: SettingsView

    private var look: Appearance { frame.look }
    private var theme: Theme { frame.theme }

    func draw(on canvas: inout Canvas) {
        let top = frame.state.layout.panelTop
        let settings = frame.state.settingsShown(board: frame.board)
        let height = frame.state.settingsHeight
        let place = "\(min(view.index + 1, settings.count))/\(settings.count)"
        frame.drawBox(on: &canvas, title: [frame.run("Settings", theme.title)], note: place)
        let nameWidth = min(settings.map { $0.name.count }.max() ?? 0, canvas.columns / 3)
        for (offset, setting) in settings.dropFirst(view.top).prefix(height).enumerated() {
            draw(
                setting, isMarked: view.top + offset == view.index, on: &canvas, row: top + 1 + offset,
                nameWidth: nameWidth)
        }
        if settings.indices.contains(view.index) { explain(settings[view.index], on: &canvas, row: top + 1 + height) }
    }

    /// Draws the selected setting's whole description, which may be cut in its line.
    private func explain(_ setting: SettingsList.NameValueLine, on canvas: inout Canvas, row: Int) {
        let most = frame.state.panelHeight - frame.state.settingsHeight - 1
        guard most > 0 else { return }
        let lines = look.text(setting.description).wrapped(canvas.columns - 6, most: most)
        for (offset, line) in lines.enumerated() {
            canvas.write(line, theme.text, column: 3, row: row + 1 + offset)
        }
    }

    private func draw(
        _ setting: SettingsList.NameValueLine, isMarked: Bool, on canvas: inout Canvas, row: Int, nameWidth: Int
    ) {
        let end = canvas.columns - 2
        let valueWidth = min(28, max(10, (end - nameWidth - 6) / 3))
        if isMarked {
            canvas.write(look.text(String(look.symbols.selection)), theme.key, column: 1, row: row)
            canvas.clear(column: 3, row: row, columns: nameWidth, style: theme.selected)
        }
        var column = 3
        func write(_ text: String, _ style: Style, width: Int) {
            canvas.write(look.text(text), style, column: column, row: row, width: min(width, end - column))
            column += width + 1
        }
        // Arrows show that the selected setting can be changed, also without colour.
        let value = setting.isChangeable && isMarked ? "< \(setting.value) >" : setting.value
        write(setting.name, isMarked ? theme.selected : theme.text, width: nameWidth)
        write(value, setting.isChangeable ? theme.key : theme.quiet, width: valueWidth)
        write(setting.origin.words, setting.origin == .standard ? theme.quiet : theme.moving, width: 13)
        write(setting.description, theme.quiet, width: max(0, end - column))
    }
}

extension Dashboard {
    /// The possible values of the selected setting, for completion; only examples for numbers and rates.
    func choices(of view: SettingsView, board: QueueCopy) -> [String] {
        let settings = settingsShown(board: board)
        guard settings.indices.contains(view.index) else { return [] }
        return LiveSetting(settings[view.index].name)?.choices(themes: themes) ?? []
    }

    /// Lines of settings in the panel. If it has 8 lines or more, below them are an empty line and two for the
    /// selected setting's description.
    var settingsHeight: Int { panelHeight < 8 ? panelHeight : panelHeight - 3 }

    /// The settings as the `winch` command passed them, with the current value where it has changed since; changeable
    /// settings first.
    func settingsShown(board: QueueCopy) -> [SettingsList.NameValueLine] {
        var shown = settingsList.settings.map { setting in
            guard let live = LiveSetting(setting.name) else { return setting }
            var setting = setting
            let now = value(of: live, board: board)
            if now != live.normal(setting.value) { (setting.value, setting.origin) = (now, .now) }
            return setting
        }
        // Without a list of options the panel still shows what can be changed.
        for live in LiveSetting.allCases where !shown.contains(where: { $0.name == live.rawValue }) {
            let now = value(of: live, board: board)
            // What the session was started with is not known here.
            let origin: SettingsList.Origin =
                isAttached && live.isOfQueue ? .session : now == started[live] ? .standard : .now
            shown.append(
                SettingsList.NameValueLine(name: live.rawValue, value: now, origin: origin, description: live.words))
        }
        return shown.filter(\.isChangeable) + shown.filter { !$0.isChangeable }
    }
}

struct SettingsView: Hashable, Sendable {
    var index = 0
    var top = 0
    /// The selected setting's value, while it is edited.
    var typing: CommandPrompt?

    /// Selects another setting and scrolls it into view.
    mutating func move(to target: Int, count: Int, height: Int) {
        index = min(max(0, target), max(0, count - 1))
        top = min(top, index)
        top = max(top, index - height + 1, 0)
        top = min(top, max(0, count - height))
    }
}
