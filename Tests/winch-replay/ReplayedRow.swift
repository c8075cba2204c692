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

    /// The estimator for the kind of the trace: one stream, or a queue of files.
    private enum Estimator {
        case plain(RateEstimator)
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
        let now = line.moment ?? Moment(nanoseconds: 0)
        switch line.verb {
        case "total": total = line.bytes(0)
        case "start": have = line.bytes(0)
        case "files":
            files = Int(line.numbers[0])
            estimator = .queue(QueueTimeLeft())
        case "data": record(line.bytes(0), at: now)
        case "pause":
            isPaused = true
            stream.pause()
        case "resume":
            isPaused = false
            stream.resume(at: now)
        case "loss":
            have = line.bytes(0)
            stream.lose(downTo: have)
        default:
            known = line.bytes(0)
            (sized, files, done) = (Int(line.numbers[1]), Int(line.numbers[2]), Int(line.numbers[3]))
        }
        highestPercent = max(highestPercent, percentNow ?? 0)
    }

    private mutating func record(_ bytes: ByteCount, at now: Moment) {
        have = bytes
        switch estimator {
        case .plain(var plain):
            plain.record(bytes, of: total, at: now)
            estimator = .plain(plain)
        case .queue(var queue):
            let left = QueueLeft(known: known, sized: sized, files: files, done: done, have: bytes)
            queue.record(bytes, done: done, left: left, at: now)
            estimator = .queue(queue)
        }
    }

    private var stream: RateEstimator {
        get {
            switch estimator {
            case .plain(let plain): plain
            case .queue(let queue): queue.stream
            }
        }
        set {
            switch estimator {
            case .plain: estimator = .plain(newValue)
            case .queue(var queue):
                queue.stream = newValue
                estimator = .queue(queue)
            }
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

extension QueueLeft {
    /// - Parameters:
    ///   - known: sum of the sizes that are known, those of `sized` of the `files` files.
    ///   - have: bytes that came.
    /// - Returns: `nil` while no size is known: nothing to guess from.
    fileprivate init?(known: ByteCount, sized: Int, files: Int, done: Int, have: ByteCount) {
        guard sized > 0 else { return nil }
        let mean = Double(known.bytes) / Double(sized)
        self.init(
            bytes: Double(known.bytes) + mean * Double(max(0, files - sized)) - Double(have.bytes), files: files - done)
    }
}
