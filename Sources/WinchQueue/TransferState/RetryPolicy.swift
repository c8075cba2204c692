package import WinchModel

/// What becomes of a transfer whose attempt failed: whether it is made again, what for it waits, and how long.
package enum RetryPolicy {
    /// One failed attempt and what stood around it.
    package struct Attempt: Hashable, Sendable {
        package var failure: TransferFailure
        /// The server's own wish.
        package var retryAfter: Duration?
        /// Bytes on disk beyond what any attempt had brought.
        package var progress = ByteCount.zero
        package var took = Duration.zero
        /// Other transfers hold connections to the same host.
        package var isHostShared = false
        /// The host has answered in this run.
        package var isHostKnown = false
        /// Times in a row that the host refused this transfer for its number of connections.
        package var consecutiveRefusals = 0
        /// The host has served another transfer, and has not refused for long since.
        package var isHostServing = false
        /// Repeated refusals of this URL while the host served others or nothing else was open there, with no other URL
        /// refused between them.
        package var timesSingledOut = 0
        /// For so long every attempt has failed for want of the network.
        package var networkAway = Duration.zero
        /// The request must not be made twice once it has been received: POST.
        package var isSentOnce = false
        /// What was asked of the server.
        package var use = HTTPStatus.Use.download
        /// The user allows one attempt only.
        package var isOnlyTry = false

        package init(_ failure: TransferFailure) { self.failure = failure }
    }

    /// What is to be done after a failed attempt.
    package enum Treatment: Hashable, Sendable {
        /// The server ends a body early and brings a piece each time: the next range after this wait. No failure.
        case nextRange(after: Duration)
        /// The host takes no more connections, or requests a second: try after the server's `Retry-After`, when the host
        /// has a place. No failure.
        case hostBusy
        /// The disk has no space: try when it has. No failure.
        case space
        /// The network or its name server is away: after a wait that doubles. Not counted.
        case network
        /// Again after a wait that doubles; counted.
        case again
        /// The same would happen again; with the reason to show.
        case never(TransferFailure)
    }

    /// A server may ask for so much patience; more of it is a failure.
    static let longestRetryAfter = Duration.seconds(3600)
    /// An attempt that brings less than this is followed by a wait: a server that sends a few bytes a request must not be asked a
    /// hundred times a second.
    static let piece = ByteCount(bytes: 64 << 10)
    /// From one such attempt to the next at most, and at least, whatever `--retry-wait` says.
    private static let partialProgressWaits = (longest: Duration.seconds(1), shortest: Duration.milliseconds(100))
    /// After so many refusals in a row the cause is the URL, not the load of the host.
    static let maxConsecutiveRefusals = 10
    /// So long the network may be away before attempts count: a router starts in less, a laptop finds its network in
    /// less.
    package static let networkGracePeriod = Duration.seconds(600)
    /// The table: every failure there is.
    ///
    /// - Parameter retryWait: the user's first wait.
    package static func treatment(of attempt: Attempt, retryWait: Duration) -> Treatment {
        if attempt.isSentOnce, let failure = finalFailure(ofRequestSentOnce: attempt.failure) { return .never(failure) }
        switch attempt.failure {
        case .httpStatus(let status):
            guard isPassing(status, attempt) else { return .never(attempt.failure) }
            if let requestedWait = attempt.retryAfter, requestedWait > longestRetryAfter {
                return .never(.askedToWait(status: status, seconds: requestedWait.seconds))
            }
            return refusalTreatment(attempt)
        case .unreachable, .serverBusy: return refusalTreatment(attempt)
        case .cutShort, .connectionLost:
            guard attempt.progress > .zero else { return .again }
            if attempt.progress >= piece { return .nextRange(after: .zero) }
            let span = min(partialProgressWaits.longest, max(partialProgressWaits.shortest, retryWait))
            return .nextRange(after: max(.zero, span - attempt.took))
        case .connectTimeout, .stalled, .tooSlow, .proxy, .remoteFile(.busy, _), .remoteWrite(.busy, _, _):
            return .again
        // A name that never was found is a slip of the pen; one that was found a moment ago will be found again.
        case .hostNotFound: return attempt.isHostKnown ? .again : .never(attempt.failure)
        case .nameServerDown, .networkDown:
            return attempt.isOnlyTry || attempt.networkAway >= networkGracePeriod ? .again : .network
        case .diskFull(_, .some(let needs), _, .some(let size)) where needs > size: return .never(attempt.failure)
        case .diskFull: return .space
        // The wrong bytes may be those of a part of unknown origin, which the next attempt replaces.
        case .checksum where attempt.retryAfter != nil: return .nextRange(after: .zero)
        case .timeLimit, .askedToWait, .tooManyRedirects, .redirectRefused, .untrusted, .tls, .badResponse, .nameTaken,
            .folder, .readWrite, .checksum, .existingFileDiffers, .inUse, .unexpectedPage, .tooLarge, .changed,
            .stoppedByFailFast, .other,
            .hostKeyUnknown, .hostKeyChanged, .hostKeyRevoked, .keyLocked, .loginNeeded, .loginRefused, .remoteFile,
            .remoteFolder, .remoteWrite, .remoteFull, .sourceChanged, .notRepeatable, .unanswered, .answeredEarly:
            return .never(attempt.failure)
        }
    }

    /// A request that may have had its effect is not repeated.
    ///
    /// - Returns: `nil`: the server has not taken it.
    static func finalFailure(ofRequestSentOnce failure: TransferFailure) -> TransferFailure? {
        switch failure {
        case .httpStatus(let status):
            HTTPStatus.meaning(status, of: .upload) == .laterUnlessSentOnce ? failure : nil
        case .cutShort, .connectionLost, .stalled, .tooSlow: .unanswered(failure.message)
        default: nil
        }
    }

    /// A status that may be another a little later.
    private static func isPassing(_ status: Int, _ attempt: Attempt) -> Bool {
        switch HTTPStatus.meaning(status, of: attempt.use) {
        case .later, .laterUnlessSentOnce: true
        case .laterIfAsked: attempt.retryAfter != nil
        case .done, .interim, .elsewhere, .never: false
        }
    }

    /// What a refusal says: that the host takes no more for now, or that the URL is refused.
    private static func refusalTreatment(_ attempt: Attempt) -> Treatment {
        let isBusy =
            switch attempt.failure {
            // A program that is gone does not answer, however many were served before.
            case .unreachable: attempt.isHostShared
            default: attempt.isHostShared || attempt.isHostServing
            }
        guard isBusy, TooManyConnections.isSign(attempt.failure),
            !TooManyConnections.isURLsFault(attempt.failure, timesSingledOut: attempt.timesSingledOut)
        else { return .again }
        return attempt.consecutiveRefusals < maxConsecutiveRefusals ? .hostBusy : .again
    }
}

/// How long a transfer waits before its next attempt.
package enum RetryDelay {
    /// Waits are doubled up to this.
    static let longest = Duration.seconds(60)
    /// Waits after attempts that are not counted are doubled up to this: soon after the network is back, or the host has
    /// time, all goes on.
    private static let longestUncounted = Duration.seconds(10)
    private static let shortestUncounted = Duration.milliseconds(100)

    /// The wait before the next attempt while the network is away, or the host refuses.
    ///
    /// - Parameters:
    ///   - times: attempts that failed for that reason, one after the other, at least 1.
    ///   - jitter: 0..<1.
    static func uncounted(times: Int, settings: TransferSettings, jitter: Double) -> Duration {
        let first = max(shortestUncounted, settings.retryWait).seconds
        let bound = min(first * Double(1 << min(max(0, times - 1), 16)), longestUncounted.seconds)
        return .seconds(bound * (0.5 + jitter / 2))
    }

    /// The wait before the next counted attempt; `nil`: give up.
    ///
    /// Anywhere between half of a bound and the bound, which doubles with each attempt: transfers that failed together come back one
    /// by one, and the tries last for the seconds in which a server releases the lock of a broken upload or starts again.
    ///
    /// - Parameters:
    ///   - tries: attempts so far without progress, at least 1.
    ///   - earliestRetry: what the server asked for; never undercut.
    ///   - jitter: 0..<1.
    package static func afterFailure(tries: Int, settings: TransferSettings, earliestRetry: Duration, jitter: Double)
        -> Duration?
    {
        guard settings.maxTries == 0 || tries < settings.maxTries else { return nil }
        let doublings = min(tries - 1, 16)
        let bound = min(settings.retryWait.seconds * Double(1 << max(0, doublings)), longest.seconds)
        return max(.seconds(bound * (0.5 + jitter / 2)), earliestRetry)
    }
}
