/// When to try again after a failure.
public struct RetryPolicy: Hashable, Sendable {
    /// Waits are doubled up to this.
    static let longestWait = Duration.seconds(60)
    /// A server may ask for so much patience; more of it is a failure.
    static let longestRetryAfter = Duration.seconds(3600)

    /// Whether the same server may be asked again.
    ///
    /// - Parameter retryAfter: the server's wish.
    public static func allows(_ failure: TransferFailure, retryAfter: Duration?) -> Bool {
        failure.isRetryable && retryAfter ?? .zero <= longestRetryAfter
    }

    /// The wait before the next attempt; `nil`: give up.
    ///
    /// Doubled with each attempt and spread over its upper half, so that many transfers that failed together do not come
    /// back together.
    ///
    /// - Parameters:
    ///   - tries: attempts so far without progress, at least 1.
    ///   - retryAfter: the server's wish; never undercut.
    ///   - jitter: 0..<1.
    public static func wait(
        tries: Int, settings: TransferSettings, retryAfter: Duration?, jitter: Double
    ) -> Duration? {
        guard settings.maxTries == 0 || tries < settings.maxTries else { return nil }
        let doublings = min(tries - 1, 16)
        let base = min(settings.retryWait.seconds * Double(1 << max(0, doublings)), longestWait.seconds)
        let spread = Duration.seconds(base * (0.5 + 0.5 * jitter))
        return max(spread, retryAfter ?? .zero)
    }
}
