import WinchBatch
import WinchModel

extension Dashboard {
    /// The current look and settings, each as the value of its option. A session keeps its own: they are left out.
    func settingsToSave(board: QueueCopy, now: Moment) -> [NameValueLine] {
        LiveSetting.allCases.compactMap { live in
            guard live.isKept, live != .ascii || canShowUnicode, !(isAttached && live.isOfQueue) else { return nil }
            return NameValueLine(name: live.rawValue, value: valueToSave(of: live, board: board, now: now))
        }
    }

    private func valueToSave(of live: LiveSetting, board: QueueCopy, now: Moment) -> String {
        switch live {
        case .jobs: return "\(slots.or(board.totals.slots, at: now))"
        case .limitRate: return rateLimit.or(board.totals.rateLimit, at: now)?.typed ?? "none"
        case .limitUpload: return uploadLimit.or(board.totals.uploadLimit, at: now)?.typed ?? "none"
        case .progress, .theme, .animation, .ascii, .fps, .exit, .mouse, .sort, .columns: break
        }
        let value = value(of: live, board: board)
        // A setting that was not changed is saved as it was configured: its current value may be a fallback because
        // this terminal cannot show the configured one.
        let given = settingsList.settings.first { $0.name == live.rawValue }
        if value == started[live], let given { return live.normal(given.value) }
        return value
    }
}

extension LiveSetting {
    /// The setting is saved. `exit` is not: it concerns the current run only.
    fileprivate var isKept: Bool { self != .exit }
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
    package static let sorts: [String] = RowSort.Column.allCases.map { "\($0)" }

    /// The error message for a value of the option `sort`; `nil` if the value is valid.
    package static func fault(ofSort text: String) -> String? {
        guard RowSort(text: text) == nil else { return nil }
        let names = RowSort.Column.allCases.map { "\($0)" }
        let question = NearestName.question(for: text, among: names)
        return "one of \(names.joined(separator: ", ")), with ,reverse behind it or not; not '\(text)'\(question)"
    }
}
