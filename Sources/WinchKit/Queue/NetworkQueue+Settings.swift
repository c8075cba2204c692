public import WinchCore

extension NetworkQueue {
    /// How a queue behaves, and what its transfers have unless they say otherwise.
    public struct Settings: Sendable {
        /// Transfers at a time, at least 1.
        public var slots = 4
        /// Connections to one host over all transfers, at least 1.
        public var perHost = 8
        /// How the queue's progress counts: `.simple` per file, `.accurate` per byte, for which sizes are asked ahead of
        /// time. Progress of a transfer always counts bytes.
        public var mode = ProgressMode.accurate
        /// Where the files go; made when missing.
        public var folder = "."
        /// What is added waits for ``NetworkQueue/go()``.
        public var isHeld = false
        /// The first failure stops everything else; a cancel is no failure.
        public var failsFast = false
        /// Over all transfers.
        public var rateLimit: ByteRate?
        /// How long transfers wait for room on a full disk while nothing moves there, before they fail; `nil`: without
        /// end.
        public var spaceWait: Duration? = .seconds(30)
        /// How each transfer is fetched.
        public var options = TransferSettings()

        public init() {}
    }
}

extension NetworkQueue.Settings {
    var queue: QueueSettings {
        var queue = QueueSettings()
        (queue.slots, queue.perHost, queue.mode) = (slots, perHost, mode)
        (queue.isHeld, queue.failsFast, queue.rateLimit) = (isHeld, failsFast, rateLimit)
        queue.spaceWait = spaceWait
        queue.seed = .random(in: .min ... .max)
        return queue
    }

    var sharedOptions: Shared<TransferSettings> { Shared(options) }
}
