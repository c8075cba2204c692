/// Every option of the program with its value and the origin of the value. Filled in by the `winch` command.
package struct SettingsList: Hashable, Sendable {
    /// Where a setting's value comes from.
    package enum Origin: Hashable, Sendable {
        case standard
        /// A line of the settings file, from 1.
        case file(line: Int)
        /// The earlier run that this one continues.
        case lastRun
        case environment
        case flag
        /// The session that the dashboard shows.
        case session
        /// Changed while the dashboard runs.
        case now

        /// The origin as shown to the user: `file, line 3`.
        package var words: String {
            switch self {
            case .standard: "default"
            case .file(let line): "file, line \(line)"
            case .lastRun: "last run"
            case .environment: "environment"
            case .flag: "command line"
            case .session: "session"
            case .now: "changed now"
            }
        }
    }

    package struct NameValueLine: Hashable, Sendable {
        /// The option's long name, without dashes.
        package var name: String
        /// The value as written in the settings file; never a password.
        package var value: String
        package var origin: Origin
        package var description: String

        package init(name: String, value: String, origin: Origin, description: String) {
            self.name = name
            self.value = value
            self.origin = origin
            self.description = description
        }

        /// It can be changed while the dashboard runs.
        package var isChangeable: Bool { LiveSetting(name) != nil }
    }

    package var settings: [NameValueLine]

    package init(_ settings: [NameValueLine] = []) {
        self.settings = settings
    }
}
