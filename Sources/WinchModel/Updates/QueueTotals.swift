/// The sums over the whole queue, for the header and the queue's progress bar.
package struct QueueTotals: Hashable, Sendable, Codable {
    package var mode: ProgressMode = .accurate
    /// Completed and total of both directions: in bytes in accurate mode, in transfers in simple mode.
    package var completed: Int64 = 0
    package var total: Int64 = 0
    /// Progress of both directions in 0...1, exactly 1 when all transfers are settled.
    package var fraction: Double = 0
    /// The percentage of `fraction` while the bar is held because guessed sizes were too small; `nil`: the percentage follows
    /// from `completed` and `total`.
    package var heldPercent: Int?
    /// `total` includes guessed sizes: the percentage is shown with `~`.
    package var isEstimated = false
    /// Bytes still to be moved according to guessed sizes, in either mode. When it is not zero, the time left is shown as
    /// `about`.
    package var guessed: Int64 = 0
    /// No size is known at all, so there is no percentage.
    package var isIndeterminate = false
    /// How `completed` is divided among succeeded, failed, cancelled and unsettled transfers.
    package var shares = Shares()

    /// Bytes on disk or sent, and the bytes when all is complete, in both directions; in either mode. Unknown sizes count as guessed.
    package var bytesDone: Int64 = 0
    package var bytesTotal: Int64 = 0
    /// `bytesTotal` includes guessed sizes.
    package var areBytesEstimated = false
    /// Bytes that were received or sent in this run, including bytes that were lost again, without those of earlier runs.
    package var fetched: Int64 = 0
    /// When the first transfer of this run started; `nil` before.
    package var startedAt: Moment?
    /// When the last transfer was settled; `nil` while any is not.
    package var endedAt: Moment?
    /// `fetched` divided by the time since `startedAt`, pauses excluded.
    package var meanRate: ByteRate?

    /// The sums of the uploads alone; `nil` when there are none.
    package var uploads: Uploads?

    /// All transfers. This and the following numbers count both directions.
    package var count = 0
    /// A batch is still being read: `count` grows, and the queue has not finished when all transfers so far are settled.
    package var isReading = false
    /// The rows are a preview: the engine is about to start them.
    package var isStarting = false
    package var waiting = 0
    /// Transfers with a connection: at most `slots`, or more for a while after `slots` was lowered.
    package var active = 0
    package var stalled = 0
    /// Transfers whose row is in the phase `verifying`.
    package var finishing = 0
    package var paused = 0
    /// Transfers that wait for their next attempt.
    package var backoff = 0
    package var finished = 0
    package var failed = 0
    package var cancelled = 0

    /// Folders that are listed, or were; those that failed or were cancelled are among `count`, the others are not. `nil`: there
    /// are none.
    package var listings: Listings?

    /// Progress of the size requests ahead of time; `nil` when none is open.
    package var sizing: Sizing?
    /// Current rate of all transfers; `nil` while it is not known.
    package var rate: ByteRate?
    /// When all that is not paused will be settled if the rate stays the same; `nil` while it cannot be estimated.
    package var finish: Moment?
    /// The last time that the bar moved back, and why.
    package var rebase: Rebase?
    /// Hosts without a free connection for a file, sorted. A transfer that waits for a slot and has one of these hosts waits for
    /// the host. Kept here and not in each row, because a hundred thousand rows may change when one host becomes full.
    package var fullHosts: [String] = []
    /// Hosts that refused connections, sorted, and how many connections each is given since.
    package var hostLimits: [HostLimit] = []
    /// The transfers that wait for disk space; `nil` when there are none.
    package var awaitingSpace: AwaitingSpace?

    /// How many transfers the next `Command.restore` brings back.
    package var restorable = 0

    /// Simultaneous transfers, at most.
    package var slots = 4
    /// All transfers are paused (`Command.pauseAll`).
    package var isHeld = false
    /// Over all transfers; `nil`: no limit.
    package var rateLimit: ByteRate?
    /// Over all uploads; `nil`: no limit but `rateLimit`.
    package var uploadLimit: ByteRate?

    package init() {}

    /// How the transfers of a progress bar ended, in the unit of `mode`: transfers or bytes. The filled part of the bar is
    /// divided in these proportions. In bytes, a failed or cancelled transfer counts with its whole expected size, at least
    /// 1, so that one that failed before its first byte is visible too.
    package struct Shares: Hashable, Sendable, Codable {
        package var succeeded: Int64 = 0
        package var failed: Int64 = 0
        package var cancelled: Int64 = 0
        /// Bytes on disk of transfers that are not settled yet; 0 in simple mode.
        package var unsettled: Int64 = 0

        package init() {}
    }

    /// A host that is given fewer connections than the settings allow.
    package struct HostLimit: Hashable, Sendable, Codable {
        package var host: String
        /// Simultaneous connections, at most.
        package var connections: Int

        package init(host: String, connections: Int) { (self.host, self.connections) = (host, connections) }
    }

    package struct AwaitingSpace: Hashable, Sendable, Codable {
        package var count: Int
        /// The target folder of one of them, as given.
        package var folder: String

        package init(count: Int, folder: String) { (self.count, self.folder) = (count, folder) }
    }

    package struct Listings: Hashable, Sendable, Codable {
        package var open: Int
        package var done: Int
        /// Or cancelled.
        package var failed: Int
        /// Of the open ones.
        package var paused: Int
        /// Of the open ones, those with a connection, and those of which what was found is being added.
        package var active: Int

        package init(open: Int, done: Int, failed: Int, paused: Int = 0, active: Int = 0) {
            (self.open, self.done, self.failed) = (open, done, failed)
            (self.paused, self.active) = (paused, active)
        }

        /// `3 folders to list`; `nil`: none.
        package var openWords: String? { open > 0 ? Found.counted(open, "folder") + " to list" : nil }
    }

    /// How many sizes have been requested ahead of time, and how many of these requests are answered.
    package struct Sizing: Hashable, Sendable, Codable {
        package var answered: Int
        package var asked: Int

        package init(answered: Int, asked: Int) { (self.answered, self.asked) = (answered, asked) }
    }

    /// The sums over the uploads, for their progress bar.
    package struct Uploads: Hashable, Sendable, Codable {
        /// In the unit of `mode`.
        package var completed: Int64
        package var total: Int64
        /// 0...1, exactly 1 when every upload is settled.
        package var fraction: Double
        package var isEstimated: Bool
        /// In bytes, in either mode.
        package var bytesDone: Int64
        package var bytesTotal: Int64
        package var count: Int
        package var finished: Int
        package var failed: Int
        package var cancelled: Int
        package var rebase: Rebase?

        package init(
            completed: Int64, total: Int64, fraction: Double, isEstimated: Bool, bytesDone: Int64 = 0,
            bytesTotal: Int64 = 0, count: Int, finished: Int, failed: Int,
            cancelled: Int, rebase: Rebase? = nil
        ) {
            (self.completed, self.total) = (completed, total)
            (self.fraction, self.isEstimated) = (fraction, isEstimated)
            (self.bytesDone, self.bytesTotal, self.count, self.finished) = (bytesDone, bytesTotal, count, finished)
            (self.failed, self.cancelled, self.rebase) = (failed, cancelled, rebase)
        }
    }

    /// Finished, failed and cancelled transfers.
    package var settled: Int { finished + failed + cancelled }
    /// Transfers that are not settled, and folders to be listed.
    package var unfinished: Int { count - settled + (listings?.open ?? 0) }
    package var allSettled: Bool { settled == count && !isReading && (listings?.open ?? 0) == 0 }
    /// Transfers with a connection, and those whose files are being finished.
    package var working: Int { active + finishing }

    /// Time from the first start until `now`, or until everything was settled; `nil` before the first start.
    package func elapsed(at now: Moment) -> Duration? { startedAt.map { max(.zero, (endedAt ?? now) - $0) } }

    /// Rounded down; 100 only when everything is settled, `nil` for an empty queue and while no size is known.
    package var percent: Int? {
        guard count > 0, allSettled || !isIndeterminate else { return nil }
        if let heldPercent { return heldPercent }
        return Fraction(completed: completed, total: total, allSettled: allSettled).percent
    }

    /// `finish` depends on guessed sizes.
    package var isFinishEstimated: Bool { isEstimated || guessed > 0 }
}

extension QueueTotals {
    /// `31%`; `~31%` while guessed sizes are in the sum; `--` without a percentage. At the end `100%` if everything succeeded,
    /// else `done: 1 of 3`.
    package var percentWords: String {
        if allSettled, failed + cancelled > 0 { return "done: \(finished) of \(count)" }
        return percent.map { (isEstimated && !allSettled ? "~" : "") + "\($0)%" } ?? "--"
    }
}

/// The total rate of the last `RateGraphSpan.seconds`, a mean a second.
package struct RateHistory: Hashable, Sendable {
    /// One second of the clock that has ended.
    package struct Second: Hashable, Sendable, Codable {
        /// Whole seconds since the clock's origin.
        package var number: Int64
        package var rate: ByteRate

        package init(number: Int64, rate: ByteRate) { (self.number, self.rate) = (number, rate) }
    }

    /// The seconds that are kept, ascending.
    package private(set) var seconds: [Second] = []
    /// The latest second's number; `nil` before the first.
    package var last: Int64? { seconds.last?.number }

    package init() {}

    /// Takes a second; one before the latest has come too late, and is left out.
    package mutating func append(_ second: Second) {
        if let last, second.number <= last { return }
        seconds.removeAll { second.number &- $0.number >= Int64(RateGraphSpan.seconds) }
        seconds.append(second)
    }

    /// The mean of a second; `nil` when nothing was measured in it or it is longer ago than the span.
    package subscript(number: Int64) -> ByteRate? {
        let place = seconds.partitioningIndex { $0.number >= number }
        return place < seconds.count && seconds[place].number == number ? seconds[place].rate : nil
    }
}

/// The time span of the rate graphs: that of the queue above the list, its curve in the title, and that of the details panel.
package enum RateGraphSpan {
    /// Two minutes, in seconds: `RateHistory` keeps as many, and no graph shows more.
    package static let seconds = 120
    /// A minute, in seconds: a graph makes its columns narrower until so many seconds fit, and wider ones only while fewer are
    /// known.
    package static let wholeAtMost = 60
}

extension QueueTotals {
    /// Something is or was to be done. A folder of which all is here already leaves nothing that counts.
    package var hasTransfers: Bool { count > 0 || listings != nil }
}
