/// The sums over the whole queue, for the header and the queue's progress bar.
public struct QueueTotals: Hashable, Sendable, Codable {
    public var mode: ProgressMode = .accurate
    public var completed: Int64 = 0
    public var total: Int64 = 0
    /// Completed and total of the downloads: in bytes in accurate mode, in transfers in simple mode.
    /// Progress of the downloads in 0...1, exactly 1 when all of them are settled.
    public var fraction: Double = 0
    /// The percentage of `fraction` while the bar is held because guessed sizes were too small; `nil`: the percentage follows
    /// from `completed` and `total`.
    var heldPercent: Int?
    /// `total` includes guessed sizes: the percentage is shown with `~`.
    public var isEstimated = false
    /// Bytes still to be received according to guessed sizes, in either mode. When it is not zero, the time left is shown as
    /// `about`.
    public var guessed: Int64 = 0
    /// No size is known at all, so there is no percentage.
    public var isIndeterminate = false
    /// How `completed` is divided among succeeded, failed, cancelled and unsettled transfers.
    public var shares = Shares()

    /// Bytes of the downloads on disk, and their bytes when all are complete; in either mode. Unknown sizes count as guessed.
    public var bytesDone: Int64 = 0
    public var bytesTotal: Int64 = 0
    /// `bytesTotal` includes guessed sizes.
    public var areBytesEstimated = false
    /// Bytes that downloads received in this run, including bytes that were lost again, without those of earlier runs.
    public var fetched: Int64 = 0
    /// When the first transfer of this run started; `nil` before.
    public var startedAt: Moment?
    /// When the last transfer was settled; `nil` while any is not.
    public var endedAt: Moment?
    /// `fetched` divided by the time since `startedAt`, pauses excluded.
    public var meanRate: ByteRate?

    /// The sums of the uploads; `nil` when there are none.
    public var uploads: Uploads?

    /// All transfers. This and the following numbers count both directions.
    public var count = 0
    public var waiting = 0
    /// Transfers with a connection: at most `slots`, or more for a while after `slots` was lowered.
    public var active = 0
    /// The active transfers that are stalled.
    public var stalled = 0
    /// Transfers whose bytes are complete, while their files are being verified, synced or renamed.
    public var finishing = 0
    public var paused = 0
    /// Transfers that wait for their next attempt.
    public var backoff = 0
    public var finished = 0
    public var failed = 0
    public var cancelled = 0

    /// Progress of the size requests ahead of time; `nil` when none is open.
    public var sizing: Sizing?
    /// Current rate of all transfers; `nil` while it is not known.
    public var rate: ByteRate?
    /// When everything will be settled if the rate stays the same; `nil` while it cannot be estimated.
    public var finish: Moment?
    /// The last time that the bar moved back, and why.
    public var rebase: Rebase?
    /// Hosts without a free connection, sorted. A transfer that waits for a slot and has one of these hosts waits for the host.
    /// Kept here and not in each row, because a hundred thousand rows may change when one host becomes full.
    public var fullHosts: [String] = []
    /// Hosts that refused connections, sorted, and how many connections each is given since.
    public var hostLimits: [HostLimit] = []
    /// The transfers that wait for disk space; `nil` when there are none.
    public var awaitingSpace: AwaitingSpace?

    /// How many transfers the next `Command.restore` brings back.
    public var restorable = 0

    /// Simultaneous transfers, at most.
    public var slots = 4
    /// All transfers are paused (`Command.pauseAll`).
    public var isHeld = false
    /// Over all transfers; `nil`: no limit.
    public var rateLimit: ByteRate?

    public init() {}

    /// How the transfers of a progress bar ended, in the unit of `mode`: transfers or bytes. The filled part of the bar is
    /// divided in these proportions. In bytes, a failed or cancelled transfer counts with its whole expected size, at least
    /// 1, so that one that failed before its first byte is visible too.
    public struct Shares: Hashable, Sendable, Codable {
        public var succeeded: Int64 = 0
        public var failed: Int64 = 0
        public var cancelled: Int64 = 0
        /// Bytes on disk of transfers that are not settled yet; 0 in simple mode.
        public var unsettled: Int64 = 0

        public init() {}
    }

    /// A host that is given fewer connections than the settings allow.
    public struct HostLimit: Hashable, Sendable, Codable {
        public var host: String
        /// Simultaneous connections, at most.
        public var connections: Int

        public init(host: String, connections: Int) {
            self.host = host
            self.connections = connections
        }
    }

    /// Transfers that wait for disk space.
    public struct AwaitingSpace: Hashable, Sendable, Codable {
        public var count: Int
        /// The target folder of one of them, as given.
        public var folder: String

        public init(count: Int, folder: String) {
            self.count = count
            self.folder = folder
        }
    }

    /// How many sizes have been requested ahead of time, and how many of these requests are answered.
    public struct Sizing: Hashable, Sendable, Codable {
        public var answered: Int
        public var asked: Int

        public init(answered: Int, asked: Int) {
            self.answered = answered
            self.asked = asked
        }
    }

    /// The sums over the uploads, for their progress bar.
    public struct Uploads: Hashable, Sendable, Codable {
        /// In the unit of `mode`.
        public var completed: Int64
        public var total: Int64
        /// 0...1, exactly 1 when every upload is settled.
        public var fraction: Double
        public var isEstimated: Bool
        public var count: Int
        public var finished: Int
        public var failed: Int
        public var cancelled: Int
        public var rebase: Rebase?
    }

    /// Finished, failed and cancelled transfers.
    public var settled: Int { finished + failed + cancelled }
    public var allSettled: Bool { settled == count }
    /// Transfers with a connection, and those whose files are being finished.
    public var working: Int { active + finishing }

    /// Time from the first start until `now`, or until everything was settled; `nil` before the first start.
    public func elapsed(at now: Moment) -> Duration? { startedAt.map { max(.zero, (endedAt ?? now) - $0) } }

    /// Rounded down; 100 only when everything is settled, `nil` for an empty queue and while no size is known.
    public var percent: Int? {
        guard count > 0, allSettled || !isIndeterminate else { return nil }
        if let heldPercent { return heldPercent }
        return Fraction(completed: completed, total: total, allSettled: allSettled).percent
    }

    /// `finish` depends on guessed sizes.
    public var isFinishEstimated: Bool { isEstimated || guessed > 0 }
}

extension QueueTotals {
    /// `31%`; `~31%` while guessed sizes are in the sum; `--` without a percentage. At the end `100%` if everything succeeded,
    /// else `done: 1 of 3`.
    public var percentWords: String {
        if allSettled, failed + cancelled > 0 { return "done: \(finished) of \(count)" }
        return percent.map { (isEstimated && !allSettled ? "~" : "") + "\($0)%" } ?? "--"
    }
}
