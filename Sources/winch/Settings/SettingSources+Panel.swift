import WinchScreen

extension SettingSources {
    /// Every setting with its value and origin, for the settings panel of the dashboard.
    var shown: SettingsList { shown { _ in true } }

    /// The settings of a dashboard, which are the user's own where it shows the session of another process.
    var shownAttached: SettingsList { shown { $0.section == "Display" } }

    /// `exit` is a wish for a run of this process; a dashboard of a session follows it from the command line alone.
    var exitsAttached: Bool {
        command.frontEnd.exit && outcomes.contains { $0.option.name == "exit" && $0.origin == .flag }
    }

    private func shown(_ isShown: (OptionTable.Option) -> Bool) -> SettingsList {
        SettingsList(
            outcomes.filter { isShown($0.option) }.map { outcome in
                SettingsList.NameValueLine(
                    name: outcome.option.name, value: outcome.value.isEmpty ? "-" : outcome.value,
                    origin: outcome.origin, description: outcome.option.help)
            })
    }
}
