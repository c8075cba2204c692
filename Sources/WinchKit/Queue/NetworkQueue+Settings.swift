public import WinchModel
import WinchQueue

extension NetworkQueue {
    /// The settings of a queue, and the defaults for its transfers.
    public struct Settings: Sendable {
        /// Simultaneous transfers, at least 1.
        public var slots = 4
        /// Simultaneous connections to one host over all transfers, at least 1.
        public var perHost = 8
        /// How the queue's progress counts: `.simple` in transfers, `.accurate` in bytes, for which the sizes of waiting
        /// files are requested ahead of time. The progress of a transfer always counts bytes.
        public var mode = ProgressMode.accurate
        /// The target folder; created when missing. A relative path begins at the working folder of the process.
        public var folder = "."
        /// Transfers wait for ``NetworkQueue/go()``.
        public var isHeld = false
        /// The first failure stops all other transfers; a cancelled transfer is no failure.
        public var failsFast = false
        /// The rate limit over all transfers; `nil`: none.
        public var rateLimit: ByteRate?
        /// The rate limit over all uploads, within `rateLimit`; `nil`: none.
        public var uploadLimit: ByteRate?
        /// How long transfers wait for space on a full disk to which no transfer writes, before they fail; `nil`: no limit.
        public var spaceWait: Duration? = .seconds(30)
        /// How each transfer is downloaded.
        public var options = TransferSettings()

        /// The defaults.
        public init() {}
    }
}

extension NetworkQueue.Settings {
    var queue: QueueSettings {
        var queue = QueueSettings()
        (queue.slots, queue.perHost, queue.mode) = (slots, perHost, mode)
        (queue.isHeld, queue.failsFast, queue.rateLimit) = (isHeld, failsFast, rateLimit)
        queue.uploadLimit = uploadLimit
        queue.spaceWait = spaceWait
        queue.seed = .random(in: .min ... .max)
        return queue
    }

    var sharedOptions: Shared<TransferSettings> { Shared(options) }
}
