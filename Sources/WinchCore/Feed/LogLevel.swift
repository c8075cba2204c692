/// How much an entry of the log matters.
public enum LogLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// For whoever looks for a fault.
    case debug
    /// What happens in every run.
    case info
    /// Something went wrong, and is being dealt with.
    case warning
    /// Something went wrong for good.
    case error

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
