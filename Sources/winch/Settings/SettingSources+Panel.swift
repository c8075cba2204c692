import WinchScreen

extension SettingSources {
    /// `exit` is a wish for a run of this process; a dashboard of a session follows it from the command line alone.
    func exits(isAttached: Bool) -> Bool {
        guard isAttached, command.frontEnd.exit else { return command.frontEnd.exit }
        return outcomes.contains { $0.option.name == "exit" && $0.origin == .flag }
    }

    /// Settings with their values and origins, for the settings panel: all, or, where the dashboard shows the session of another
    /// process, those of the dashboard, which are the user's own.
    func shown(isAttached: Bool) -> SettingsList {
        SettingsList(
            outcomes.filter { !isAttached || $0.option.section == "Display" }.map { outcome in
                SettingsList.NameValueLine(
                    name: outcome.option.name, value: outcome.value.isEmpty ? "-" : outcome.value,
                    origin: outcome.origin, description: outcome.option.help)
            })
    }
}
