import WinchCore

extension Dashboard {
    /// The look and the settings that hold now, each as its option would be written.
    func settingsToSave(board: Board, now: Moment) -> [Setting] {
        LiveSetting.allCases.compactMap { live in
            guard live.isKept, live != .ascii || canShowUnicode else { return nil }
            return Setting(name: live.rawValue, value: valueToSave(of: live, board: board, now: now))
        }
    }

    private func valueToSave(of live: LiveSetting, board: Board, now: Moment) -> String {
        switch live {
        case .jobs: return "\(slots.or(board.totals.slots, at: now))"
        case .limitRate: return rateLimit.or(board.totals.rateLimit, at: now)?.typed ?? "none"
        case .progress, .theme, .animation, .ascii, .fps, .exit, .mouse, .sort, .columns: break
        }
        let value = value(of: live, board: board)
        // What was not changed here is kept as it was given: this terminal may not be able to show it.
        let given = settingsList.settings.first { $0.name == live.rawValue }
        if value == started[live], let given { return live.normal(given.value) }
        return value
    }
}

extension LiveSetting {
    /// Part of the look or a habit of the user, as against a wish for this run alone.
    fileprivate var isKept: Bool { self != .exit }
}

extension SettingsList {
    /// Notes which settings stand in the settings file now.
    mutating func note(_ lines: [SettingLines.Line]) {
        for line in lines {
            guard let index = settings.firstIndex(where: { $0.name == line.setting.name }) else { continue }
            settings[index].value = line.setting.value
            settings[index].origin = .file(line: line.number)
        }
    }
}

/// The texts of options that the screen gives a meaning to.
public enum SettingText {
    /// The values of the option `sort` without `,reverse`.
    public static let sorts: [String] = RowSort.Column.allCases.map { "\($0)" }

    /// What is wrong with the value of the option `sort`; `nil`: nothing.
    public static func fault(ofSort text: String) -> String? {
        guard RowSort(text: text) == nil else { return nil }
        let names = RowSort.Column.allCases.map { "\($0)" }
        let question = NearestName.question(for: text, among: names)
        return "one of \(names.joined(separator: ", ")), with ,reverse behind it or not; not '\(text)'\(question)"
    }
}
