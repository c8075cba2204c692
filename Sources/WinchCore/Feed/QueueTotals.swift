/// The queue as a whole: what the header and the queue's bar show.
public struct QueueTotals: Hashable, Sendable, Codable {
    public var mode: ProgressMode = .accurate
    /// Completed and total of the downloads in the unit of `mode`: bytes, or transfers.
    public var completed: Int64 = 0
    public var total: Int64 = 0
    /// 0...1 of the downloads, exactly 1 when all of them are settled.
    public var fraction: Double = 0
    /// Percent of a bar that stands still because guesses were too small; `nil`: that of `completed` and `total`.
    var heldPercent: Int?
    /// An estimate is in the sum: show `~`.
    public var isEstimated = false
    /// Bytes still to come that are only guessed, in either mode: a forecast made of them is about so.
    public var guessed: Int64 = 0
    /// Sizes are unknown and none is known: no percent can be told.
    public var isIndeterminate = false
    /// What `completed` stands for, by how its transfers ended.
    public var shares = Shares()

    /// Bytes of the downloads on disk and to be there in the end, in either mode; unknown sizes count as guessed.
    public var bytesDone: Int64 = 0
    public var bytesTotal: Int64 = 0
    /// A guess is in `bytesTotal`.
    public var areBytesEstimated = false
    /// Bytes that downloads received in this run, those lost again included; what earlier runs left on disk is not.
    public var fetched: Int64 = 0
    /// The first start of a transfer in this run.
    public var startedAt: Moment?
    /// When everything was settled; `nil` while anything is not.
    public var endedAt: Moment?
    /// `fetched` over the time since `startedAt` without pauses.
    public var meanRate: ByteRate?

    /// The same of the uploads; `nil` when nothing is uploaded.
    public var uploads: Uploads?

    /// From here on transfers in both directions.
    public var count = 0
    public var waiting = 0
    /// Transfers that hold a connection: at most `slots`, more only while `slots` was lowered and they run on.
    public var active = 0
    /// Of these, transfers that bring no bytes although they should.
    public var stalled = 0
    /// Transfers whose bytes are all there, and whose files are being checked, synced or renamed.
    public var finishing = 0
    public var paused = 0
    public var backoff = 0
    public var finished = 0
    public var failed = 0
    public var cancelled = 0

    /// Sizes asked for ahead of time: answered and asked; `nil` when no probe is open.
    public var sizing: Sizing?
    public var rate: ByteRate?
    public var finish: Moment?
    public var rebase: Rebase?
    /// Hosts without a slot left, sorted: what waits for one of them waits for the host. Told here and not in each row, as
    /// a hundred thousand may wait for one host.
    public var fullHosts: [String] = []
    /// Hosts that refused connections, sorted, and how many at a time they are asked for since.
    public var hostLimits: [HostLimit] = []
    /// What waits for room on a disk; `nil`: nothing.
    public var awaitingSpace: AwaitingSpace?

    /// Transfers that a `restore` would bring back.
    public var restorable = 0

    /// Transfers at a time.
    public var slots = 4
    public var isHeld = false
    public var rateLimit: ByteRate?

    public init() {}

    /// How the transfers behind a bar ended, in the unit of `mode`: transfers or bytes. A bar's filled part is divided in
    /// these proportions. In bytes a failed or cancelled transfer counts with the size that it should have had, at least
    /// 1: one that failed before its first byte is seen as well.
    public struct Shares: Hashable, Sendable, Codable {
        public var succeeded: Int64 = 0
        public var failed: Int64 = 0
        public var cancelled: Int64 = 0
        /// Bytes of transfers that are not settled yet; 0 in simple mode.
        public var unsettled: Int64 = 0

        public init() {}
    }

    /// A host that takes fewer connections than it could be given.
    public struct HostLimit: Hashable, Sendable, Codable {
        public var host: String
        /// Connections at a time.
        public var connections: Int

        public init(host: String, connections: Int) {
            self.host = host
            self.connections = connections
        }
    }

    /// Transfers that wait for room on a disk.
    public struct AwaitingSpace: Hashable, Sendable, Codable {
        public var count: Int
        /// Of one of them, as given.
        public var folder: String

        public init(count: Int, folder: String) {
            self.count = count
            self.folder = folder
        }
    }

    /// How far asking for sizes has come.
    public struct Sizing: Hashable, Sendable, Codable {
        public var answered: Int
        public var asked: Int

        public init(answered: Int, asked: Int) {
            self.answered = answered
            self.asked = asked
        }
    }

    /// The queue's upload bar. Counts nothing but transfers that upload.
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

    public var settled: Int { finished + failed + cancelled }
    public var allSettled: Bool { settled == count }
    /// Transfers at work: on a connection, or being finished.
    public var working: Int { active + finishing }

    /// Time since the first start, to the end when everything is settled; `nil` before the first start.
    public func elapsed(at now: Moment) -> Duration? { startedAt.map { max(.zero, (endedAt ?? now) - $0) } }

    /// Floored; 100 only when all is settled, `nil` while nothing can be told.
    public var percent: Int? {
        guard count > 0, allSettled || !isIndeterminate else { return nil }
        if let heldPercent { return heldPercent }
        return Fraction(completed: completed, total: total, allSettled: allSettled).percent
    }

    /// `finish` is made of guesses.
    public var isFinishEstimated: Bool { isEstimated || guessed > 0 }
}

extension QueueTotals {
    /// `31%`, `~31%` while an estimate is in the sum, `--` while nothing is known; `100%` only when everything succeeded,
    /// else `done: 1 of 3`.
    public var percentWords: String {
        if allSettled, failed + cancelled > 0 { return "done: \(finished) of \(count)" }
        return percent.map { (isEstimated && !allSettled ? "~" : "") + "\($0)%" } ?? "--"
    }
}
