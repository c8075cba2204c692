/// Where the value of a setting comes from; the later in this list hold.
enum SettingOrigin: Hashable, Comparable {
    case standard
    /// A line of the settings file, from 1.
    case file(line: Int)
    case environment
    case flag

    var words: String {
        switch self {
        case .standard: "default"
        case .file(let line): "file, line \(line)"
        case .environment: "environment"
        case .flag: "command line"
        }
    }
}
