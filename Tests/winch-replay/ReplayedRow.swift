import WinchModel
import WinchProgress

/// A row of the dashboard whose bytes are from a trace instead of a connection.
struct ReplayedRow {
    private var total: ByteCount?
    private var have = ByteCount.zero
    private var isPaused = false
    private var estimator = Estimator.plain(RateEstimator())
    private var known = ByteCount.zero
    private var sized = 0
    private var files = 0
    private var done = 0
    private var highestPercent = 0

    /// The estimator for the kind of the trace: one stream, a file in segments, or a queue of files.
    private enum Estimator {
        case plain(RateEstimator)
        case segmented(SegmentedRateEstimator)
        case queue(QueueTimeLeft)
    }

    /// The figures at one time; `nil`: not shown.
    struct Figures: Hashable {
        /// In whole seconds.
        var timeLeft: Int64?
        /// In bytes a second.
        var rate: Double?
        var percent: Int?
    }

    mutating func apply(_ line: TraceLine) {
        switch line {
        case .total(let bytes):
            total = bytes
        case .start(let bytes):
            have = bytes
        case .segments(let lengths):
            estimator = .segmented(SegmentedRateEstimator(lengths: lengths))
        case .files(let count):
            files = count
            estimator = .queue(QueueTimeLeft())
        case .data(let at, let bytes, let source):
            record(bytes, from: source, at: at)
        case .pause:
            isPaused = true
            changeStream { $0.pause() }
        case .resume(let at):
            isPaused = false
            changeStream { $0.resume(at: at) }
        case .loss(_, let surviving):
            have = surviving
            changeStream { $0.lose(downTo: surviving) }
        case .queue(_, let known, let sized, let files, let done):
            (self.known, self.sized, self.files, self.done) = (known, sized, files, done)
        }
        highestPercent = max(highestPercent, percentNow ?? 0)
    }

    private mutating func record(_ bytes: ByteCount, from source: Int, at now: Moment) {
        let fresh = bytes - have
        have = bytes
        switch estimator {
        case .plain(var plain):
            plain.record(bytes, of: total, at: now)
            estimator = .plain(plain)
        case .segmented(var segmented):
            segmented.record(bytes, of: total ?? bytes, fresh: fresh, in: source, at: now)
            estimator = .segmented(segmented)
        case .queue(var queue):
            let left = QueueLeft(known: known, sized: sized, files: files, done: done, have: bytes)
            queue.record(bytes, done: done, left: left, at: now)
            estimator = .queue(queue)
        }
    }

    private mutating func changeStream(_ change: (inout RateEstimator) -> Void) {
        switch estimator {
        case .plain(var plain):
            change(&plain)
            estimator = .plain(plain)
        case .segmented(var segmented):
            change(&segmented.stream)
            estimator = .segmented(segmented)
        case .queue(var queue):
            change(&queue.stream)
            estimator = .queue(queue)
        }
    }

    private var stream: RateEstimator {
        switch estimator {
        case .plain(let plain): plain
        case .segmented(let segmented): segmented.stream
        case .queue(let queue): queue.stream
        }
    }

    func figures(at now: Moment) -> Figures {
        guard !isPaused else { return Figures(percent: percent) }
        return Figures(
            timeLeft: stream.secondsLeft(at: now).flatMap { Int64(exactly: ($0 + 0.5).rounded(.down)) },
            rate: stream.rate(at: now)?.perSecond, percent: percent)
    }

    /// `nil` while it is lower than before: front ends then show the cause of the decrease instead.
    private var percent: Int? {
        percentNow.flatMap { $0 < highestPercent ? nil : $0 }
    }

    /// Rounded down; `nil` while the total is not known.
    private var percentNow: Int? {
        guard let total, total.bytes > 0 else { return nil }
        return Int(Fraction(completed: have.bytes, total: total.bytes, allSettled: false).value * 100)
    }
}
