import WinchModel
import WinchQueue

extension WinchCommand {
    /// The settings of a transfer whose batch entry does not change them.
    var transferSettings: TransferSettings {
        var settings = TransferSettings()
        settings.headers = transfer.header
        settings.referer = transfer.referer
        settings.userAgent = transfer.userAgent
        settings.user = transfer.user
        settings.password = transfer.password
        settings.usesNetrc = transfer.netrc
        settings.cookieFile = transfer.cookies
        settings.proxy = transfer.proxy
        settings.caFile = transfer.cacert
        settings.isInsecure = transfer.insecure
        settings.keyFile = transfer.key
        settings.hostKeys = transfer.hostKey
        settings.acceptsNewHostKeys = transfer.acceptNewHostKeys
        settings.maxRedirects = transfer.maxRedirs
        settings.connectTimeout = transfer.connectTimeout
        settings.stallTimeout = transfer.timeout
        settings.lowestSpeed = transfer.lowestSpeed.flatMap { $0 > .zero ? $0 : nil }
        settings.maxTime = transfer.maxTime
        settings.maxTries = transfer.maxTries
        settings.retryWait = transfer.retryWait
        settings.rateLimit = queue.limitRateEach.flatMap { $0 > .zero ? $0 : nil }
        settings.checksum = target.checksum
        settings.maxSize = target.maxSize
        settings.allowsDowngrade = transfer.allowDowngrade
        settings.onConflict = target.onConflict
        settings.onChange = target.onChange
        return settings
    }

    /// The wait for disk space without a dashboard: a script must end when the disk stays full.
    private static let unwatchedSpaceWait = Duration.seconds(30)

    /// How long a cancel can be undone: long enough to notice a mistake and press a key, and not longer, because the part file
    /// occupies disk space until then.
    private static let undoSpan = Duration.seconds(10)

    /// - Parameters:
    ///   - isWatched: a user sees the queue and can free disk space.
    ///   - seed: the seed for the random waits before retries.
    func queueSettings(isWatched: Bool, seed: UInt64) -> QueueSettings {
        var settings = QueueSettings()
        settings.slots = min(queue.jobs, Command.mostSlots, DescriptorLimit.transfers())
        settings.perHost = queue.perHost
        // A quiet run shows no progress bar, so the sizes of waiting files are not requested ahead of time.
        settings.mode = face.output == .quiet ? .simple : queue.progress
        settings.isHeld = queue.hold
        settings.failsFast = queue.failFast
        settings.rateLimit = queue.limitRate.flatMap { $0 > .zero ? $0 : nil }
        settings.spaceWait = queue.spaceWait ?? (isWatched ? nil : Self.unwatchedSpaceWait)
        settings.undoSpan = Self.undoSpan
        settings.seed = seed
        return settings
    }
}
