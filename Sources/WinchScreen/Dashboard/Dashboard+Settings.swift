import WinchBatch
import WinchModel

extension Dashboard {
    mutating func press(_ key: Key, in view: SettingsView, board: QueueCopy, now: Moment) -> [ScreenAction] {
        var view = view
        let settings = settingsShown(board: board)
        let (count, height) = (settings.count, settingsHeight)
        var actions: [ScreenAction] = []
        let marked = settings.indices.contains(view.index) ? settings[view.index] : nil
        if let line = view.typing { return press(key, typing: line, of: marked, in: view, board: board, now: now) }
        switch (key, keyMap[key]) {
        case (.left, _), (.right, _), (" ", _), ("+", _), ("-", _), ("=", _), (.enter, _):
            guard let marked else { break }
            guard let live = LiveSetting(marked.name) else {
                let name = marked.name
                let words = "\(name) can only be set at the start: --\(name) or a line of winch.conf"
                notice = Notice(words, now: now)
                break
            }
            if key == .enter {
                notice = nil
                view.typing = CommandPrompt(Prompt(text: value(of: live, board: board), isSelected: true))
                break
            }
            let isNext = key != .left && key != "-"
            let next = adjacentValue(of: live, isNext: isNext, board: board)
            do throws(InvalidValue) {
                actions = try change(live, to: next, board: board, now: now)
            } catch {
                notice = Notice(error.message, now: now)
            }
        case (_, .saveSettings): actions = [.save(settingsToSave(board: board, now: now))]
        case (_, .help):
            mode = .panelKeys(.settings, over: .settings(view))
            return []
        case (_, .back), (_, .settings), (_, .quit):
            mode = .normal
            return []
        case (_, let intent):
            if let place = intent?.destination(from: view.index, page: height, last: count - 1) {
                view.move(to: place, count: count, height: height)
            }
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
            do throws(InvalidValue) {
                actions = try change(live, to: line.text, board: board, now: now)
                view.typing = nil
            } catch {
                line.prompt.fault = error.message
                view.typing = line
            }
        }
        mode = .settings(view)
        return actions
    }
}

extension Dashboard {
    /// The current look and settings, each as the value of its option. A session keeps its own: they are left out.
    func settingsToSave(board: QueueCopy, now: Moment) -> [NameValueLine] {
        LiveSetting.allCases.compactMap { live in
            // `exit` concerns the current run only.
            guard live != .exit, live != .ascii || canShowUnicode, !(isAttached && live.isOfQueue) else { return nil }
            return NameValueLine(name: live.rawValue, value: valueToSave(of: live, board: board, now: now))
        }
    }

    private func valueToSave(of live: LiveSetting, board: QueueCopy, now: Moment) -> String {
        switch live {
        case .jobs: return "\(slots.or(board.totals.slots, at: now))"
        case .limitRate: return rateLimit.or(board.totals.rateLimit, at: now)?.typed ?? "none"
        case .limitUpload: return uploadLimit.or(board.totals.uploadLimit, at: now)?.typed ?? "none"
        case .progress, .theme, .animation, .ascii, .fps, .exit, .mouse, .sort, .columns, .group: break
        }
        let value = value(of: live, board: board)
        // A setting that was not changed is saved as it was configured: its current value may be a fallback because
        // this terminal cannot show the configured one.
        let given = settingsList.settings.first { $0.name == live.rawValue }
        if value == started[live], let given { return live.normal(given.value) }
        return value
    }
}

extension SettingsList {
    /// Takes over the settings that the settings file contains now, with their lines as origin.
    mutating func note(_ lines: [NameValueLines.Line]) {
        for line in lines {
            guard let index = settings.firstIndex(where: { $0.name == line.setting.name }) else { continue }
            settings[index].value = line.setting.value
            settings[index].origin = .file(line: line.number)
        }
    }
}

/// Values of options that only the screen can interpret.
package enum SettingText {
    /// The values of the option `sort` without `,reverse`.
    package static let sorts: [String] = RowSort.Column.allCases.map(\.rawValue)
    /// `queue, name or size`.
    package static let sortWords = RowSort.Column.words

    /// The error message for a value of the option `sort`; `nil` if the value is valid.
    package static func fault(ofSort text: String) -> String? {
        guard RowSort(text: text) == nil else { return nil }
        let question = NearestName.question(for: text, among: sorts)
        return "one of \(sorts.joined(separator: ", ")), with ,reverse behind it or not; not '\(text)'\(question)"
    }
}
