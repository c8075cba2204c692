import WinchCore

extension WinchCommand {
    /// What each transfer has unless its batch entry says otherwise.
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

    /// A script that nobody watches must end when the disk stays full.
    private static let unwatchedSpaceWait = Duration.seconds(30)

    /// As long as it takes to see what was cancelled and to press a key; a part may hold much room on the disk.
    private static let undoSpan = Duration.seconds(10)

    /// - Parameters:
    ///   - isWatched: a person sees the queue, and can make room.
    ///   - seed: for the jitter of retries.
    func queueSettings(isWatched: Bool, seed: UInt64) -> QueueSettings {
        var settings = QueueSettings()
        settings.slots = min(queue.jobs, TransferQueue.mostSlots, DescriptorLimit.transfers())
        settings.perHost = queue.perHost
        // Nobody sees the bar of a quiet run, so nobody need ask servers for sizes ahead of time.
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
