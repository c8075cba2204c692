/// Where a setting's value comes from.
public enum SettingOrigin: String, Hashable, Sendable, CaseIterable {
    case `default`, file, environment, flag
    /// Changed while the dashboard runs.
    case now
}

/// Every option of the program with its value and where that comes from; the command fills it.
public struct SettingsList: Hashable, Sendable {
    public struct Setting: Hashable, Sendable {
        /// The option's long name, without dashes.
        public var name: String
        /// As one would write it; never a password.
        public var value: String
        public var origin: SettingOrigin
        public var description: String

        public init(name: String, value: String, origin: SettingOrigin, description: String) {
            self.name = name
            self.value = value
            self.origin = origin
            self.description = description
        }

        /// It can be changed while the dashboard runs.
        public var isChangeable: Bool { LiveSetting(name) != nil }
    }

    public var settings: [Setting]

    public init(_ settings: [Setting] = []) {
        self.settings = settings
    }
}
