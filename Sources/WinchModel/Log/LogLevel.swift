/// The severity of a log entry, in ascending order.
package enum LogLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// For troubleshooting.
    case debug
    /// Normal events of every run.
    case info
    /// Something failed; Winch retries or waits.
    case warning
    /// A transfer has failed.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
