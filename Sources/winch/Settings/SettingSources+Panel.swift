import WinchScreen

extension SettingSources {
    /// Every setting with its value and origin, for the settings panel of the dashboard.
    var shown: SettingsList {
        SettingsList(
            outcomes.map { outcome in
                SettingsList.NameValueLine(
                    name: outcome.option.name, value: outcome.value.isEmpty ? "-" : outcome.value,
                    origin: outcome.origin, description: outcome.option.help)
            })
    }
}
