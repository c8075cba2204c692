package import WinchModel

/// How long a transfer waits before its next attempt.
package enum RetryDelay {
    /// Waits are doubled up to this.
    static let longest = Duration.seconds(60)
    /// Waits for the network are doubled up to this: soon after it is back all goes on.
    private static let longestForNetwork = Duration.seconds(10)
    private static let shortestForNetwork = Duration.milliseconds(100)

    /// The wait before the next attempt while the network is away.
    ///
    /// - Parameters:
    ///   - times: attempts that failed for want of the network, one after the other, at least 1.
    ///   - jitter: 0..<1.
    static func whileNetworkIsAway(times: Int, settings: TransferSettings, jitter: Double) -> Duration {
        let first = max(shortestForNetwork, settings.retryWait).seconds
        let bound = min(first * Double(1 << min(max(0, times - 1), 16)), longestForNetwork.seconds)
        return .seconds(bound * (0.5 + jitter / 2))
    }

    /// The wait before the next counted attempt; `nil`: give up.
    ///
    /// Anywhere between nothing and a bound that doubles with each attempt, so that transfers that failed together come
    /// back one by one, in whatever time there is.
    ///
    /// - Parameters:
    ///   - tries: attempts so far without progress, at least 1.
    ///   - patience: what the server asked for; never undercut.
    ///   - jitter: 0..<1.
    package static func afterFailure(tries: Int, settings: TransferSettings, earliestRetry: Duration, jitter: Double)
        -> Duration?
    {
        guard settings.maxTries == 0 || tries < settings.maxTries else { return nil }
        let doublings = min(tries - 1, 16)
        let bound = min(settings.retryWait.seconds * Double(1 << max(0, doublings)), longest.seconds)
        return max(.seconds(bound * jitter), earliestRetry)
    }
}
