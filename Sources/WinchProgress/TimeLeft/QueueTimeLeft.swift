import Glibc
package import WinchModel

/// The rate of a whole queue, and when it will end: a stream like any other, whose end follows from bytes and files.
package struct QueueTimeLeft: Hashable, Sendable {
    /// The stream of all its bytes: to read from, to pause and to resume.
    package var stream = RateEstimator()
    private var fit = QueueFit()
    private var share = ConnectionScaling()

    package init() {}

    /// Takes what one tick of the meter saw.
    package mutating func note(connections: Double, rate: Double) { share.take(connections: connections, rate: rate) }

    /// The user or the queue has changed what runs: the time left follows the rate of the next seconds at once.
    package mutating func expectChange() { fit.expectChange() }

    /// - Parameter running: transfers that move now and whose size is known.
    package func forecast(of running: [SlotSimulation.Running]) -> SlotSimulation {
        SlotSimulation(running: running, exponent: share.exponent, rate: stream.mean?.perSecond)
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - moved: bytes that came in all; bytes that were lost again stay in it.
    ///   - done: files settled so far.
    ///   - left: `nil` while there is nothing to guess from.
    package mutating func record(
        _ moved: ByteCount, done: Int, left: QueueLeft?, forecast: SlotSimulation? = nil, at now: Moment
    ) {
        fit.begin(done: done)
        guard let step = stream.observe(moved, left: left?.bytes, at: now) else { return }
        let isChanged = fit.take(step.interval, done: done)
        guard let left else { return }
        let fitted = forecast.map { $0.timeLeft(left, plain: fit.timeLeft) } ?? fit.timeLeft(left)
        // Files of other sizes are other rates, but not another line: the fit knows better than the change detector.
        let isNewRegime = isChanged || step.isNewRegime && (!fit.isGrown || !stream.slowStart.isOver)
        stream.aim(
            timeLeft: fitted ?? stream.time(for: left.bytes),
            after: RateEstimator.Step(interval: step.interval, isNewRegime: isNewRegime))
    }
}

/// What is left of a queue of files.
package struct QueueLeft: Hashable, Sendable {
    /// Bytes to come; an unknown size counts as the mean of the known ones.
    package var bytes: Double
    /// Files not yet finished.
    package var files: Int

    package init(bytes: Double, files: Int) {
        self.bytes = max(0, bytes)
        self.files = max(0, files)
    }
}

/// How the total rate depends on the number of connections: by the exponent e of rate = c n^e.
///
/// 0: a line that they share, which one of them fills alone. 1: each is held to a rate of its own, by its server or by the
/// distance. It is found by least squares of the logarithms over the ticks of the meter, in which the number changes all
/// the time: files end, and the next wait for their first byte. Where it hardly changed a prior holds, half of each.
struct ConnectionScaling: Hashable, Sendable {
    private var weight = 0.0
    private var x = 0.0
    private var y = 0.0
    private var xx = 0.0
    private var xy = 0.0

    /// Ticks of a tenth of a second: half a minute of memory.
    private static let kept = 0.997
    private static let prior = 0.5
    /// Weight of the prior, as a sum of squares of ln n: ten seconds in which the number changes by a tenth have as much.
    private static let priorWeight = 0.3
    /// Below half a connection on average the tick was a pause.
    private static let least = 0.5

    /// - Parameters:
    ///   - connections: that moved bytes, on average over the tick.
    ///   - rate: bytes a second, of all.
    mutating func take(connections: Double, rate: Double) {
        guard connections >= Self.least, rate > 0 else { return }
        let (a, b) = (log(connections), log(rate))
        weight = weight * Self.kept + 1
        x = x * Self.kept + a
        y = y * Self.kept + b
        xx = xx * Self.kept + a * a
        xy = xy * Self.kept + a * b
    }

    /// 0...1.
    var exponent: Double {
        guard weight > 0 else { return Self.prior }
        let (variance, covariance) = (xx - x * x / weight, xy - x * y / weight)
        return min(1, max(0, (covariance + Self.priorWeight * Self.prior) / (variance + Self.priorWeight)))
    }
}

/// Connections that move bytes, and how long, so that a tick knows how many there were on average.
package struct MovingConnections: Sendable {
    private var count = 0
    /// Connections times seconds.
    private var seconds = 0.0
    private var at: Moment?
    /// At the last tick.
    private var tick: (at: Moment, moved: ByteCount, seconds: Double)?

    package init() {}

    /// Ticks are a tenth of a second apart; what is far from it is no tick.
    private static let span = 0.05...0.5

    package mutating func change(by change: Int, at now: Moment) {
        pass(to: now)
        count += change
    }

    /// - Returns: since the last tick, connections on average and bytes a second.
    package mutating func take(_ moved: ByteCount, at now: Moment) -> (connections: Double, rate: Double)? {
        pass(to: now)
        defer { tick = (now, moved, seconds) }
        guard let tick, case let elapsed = (now - tick.at).seconds, Self.span.contains(elapsed) else { return nil }
        return ((seconds - tick.seconds) / elapsed, Double((moved - tick.moved).bytes) / elapsed)
    }

    private mutating func pass(to now: Moment) {
        if let at { seconds += Double(count) * max(0, (now - at).seconds) }
        at = now
    }
}

/// How the rest of a queue will go: as long as transfers wait every slot is used; then those end that run, one after the
/// other, and what one leaves of the line the others get, as far as they can use it.
///
/// Without this a large file beside many small ones is foretold at the rate that it has while it shares the line, and is
/// done in half of that time; or the whole at the rate of all connections, when one that is slow by itself will be left.
package struct SlotSimulation: Hashable, Sendable {
    /// A transfer with an open body whose size is known.
    package struct Running: Hashable, Sendable {
        var bytes: Double
        /// Bytes a second.
        var rate: Double

        package init(bytes: Double, rate: Double) { (self.bytes, self.rate) = (bytes, rate) }
    }

    var running: [Running]
    /// Exponent of `ConnectionScaling`.
    var exponent: Double
    /// Bytes a second of all connections; `nil` while it is not known.
    var rate: Double?

    /// Steps to the point where what waits is used up; each halves the error at the least.
    private static let steps = 12
    /// Connections that share a line get about the same of it.
    private static let slow = 0.5
    /// The total follows a change of the line sooner than each of its parts, whose rates are brought up to it; by no more
    /// than this, since it may be the total that lags.
    private static let scales = 0.5...2.5

    /// - Parameters:
    ///   - left: of the whole queue.
    ///   - plain: seconds that so much takes by the rates so far, or `nil`.
    func timeLeft(_ left: QueueLeft, plain: (QueueLeft) -> Double?) -> Double? {
        guard var shared = plain(left) else { return nil }
        let running = scaled
        let all = running.reduce(0) { $0 + $1.bytes }
        let waiting = max(0, left.bytes - all)
        // While something waits, each of those that run moves at its own rate.
        for _ in 0..<Self.steps {
            let moved = running.reduce(0) { $0 + min($1.bytes, $1.rate * shared) }
            guard let next = plain(QueueLeft(bytes: waiting + moved, files: left.files)) else { return nil }
            shared = (shared + next) / 2
        }
        // Of those that are left then, the next to end ends first; the others go on a little quicker.
        var rest = running.compactMap { one -> Running? in
            let bytes = one.bytes - one.rate * shared
            return bytes > 1 ? Running(bytes: bytes, rate: one.rate) : nil
        }.filter { $0.rate > 0 }
        rest.sort { $0.bytes / $0.rate < $1.bytes / $1.rate }
        let count = Double(max(running.count, 1))
        var (time, done) = (shared, 0.0)
        let fair = running.reduce(0) { $0 + $1.rate } / count
        for (index, one) in rest.enumerated() {
            // One that does not use its share of the line now gains nothing by a larger one.
            let exponent = one.rate < fair * Self.slow ? 1 : exponent
            let quicker = Self.quicker(from: count, to: Double(rest.count - index), exponent: exponent)
            let own = one.bytes / one.rate
            time += max(0, own - done) / quicker
            done = max(done, own)
        }
        return time
    }

    private var scaled: [Running] {
        let sum = running.reduce(0) { $0 + $1.rate }
        guard let rate, sum > 0 else { return running }
        let scale = min(max(rate / sum, Self.scales.lowerBound), Self.scales.upperBound)
        // Where each is held to its own rate, the total is but their sum.
        let share = scale * (1 - exponent) + exponent
        return running.map { Running(bytes: $0.bytes, rate: $0.rate * share) }
    }

    /// By what a connection's rate rises when `count` become `fewer`: count / fewer to the power of 1 - e. For exponents
    /// from 0 to 1 the two ends are exact, and the mean between them weighted by e is close enough to the power.
    private static func quicker(from count: Double, to fewer: Double, exponent: Double) -> Double {
        let most = max(1, count / max(1, fewer))
        return 1 / (exponent + (1 - exponent) / most)
    }
}

/// How long a queue takes by its bytes and by its files: time = a bytes + c files.
///
/// Small files cost a request each, whatever their size, and a rate of bytes foretells their end badly. (a, c) are found
/// by least squares over windows of a second. Where all files are alike, bytes and files say the same and the equations
/// do not tell them apart; so a little of a prior is added: two thirds of the time are due to bytes, one to files. Scaled
/// by the means B of bytes, C of files and T of seconds in a window (x = a B / T and y = c C / T are the shares of the
/// time; u, v, t a window's bytes, files and seconds in those means), what is minimised is
///
///     sum of (u x + v y - t)^2  +  p (x - 2/3)^2  +  p (y - 1/3)^2
///
/// with sums that forget 1% a window.
struct QueueFit: Hashable, Sendable {
    private var window = Window()
    private var doneBefore: Int?
    /// Sums over the closed windows.
    private var sum = Window()
    private var bytesBytes = 0.0
    private var bytesFiles = 0.0
    private var filesFiles = 0.0
    private var bytesSeconds = 0.0
    private var filesSeconds = 0.0
    /// Windows in the sums, older ones counting less.
    private var windows = 0.0
    /// Windows in which the costs of before hold no more.
    private var settling = 0

    struct Window: Hashable, Sendable {
        var seconds = 0.0
        var bytes = 0.0
        var files = 0.0
    }

    /// Long enough that some files end in it.
    private static let windowLength = 1.0
    private static let kept = 0.99
    /// Connections come and go within a few seconds of a change.
    private static let settlingWindows = 5
    /// Costs vary by so much from one window to the next.
    private static let unchanged = 0.9...1.1
    /// One window may be a stall or a burst: a change that is really greater shows again in the next of the settling windows,
    /// and each takes it further.
    private static let largestChange = 0.25...4.0
    /// As much as a tenth of a window says.
    private static let prior = 0.1
    private static let bytesShare = 2.0 / 3
    /// Before half a second nothing is foretold.
    private static let least = 0.5

    /// Files that were finished before cost nothing now; later calls change nothing.
    mutating func begin(done: Int) { doneBefore = doneBefore ?? done }

    /// The user or the queue has changed what runs: the next windows say what bytes and files cost from now on.
    mutating func expectChange() { settling = Self.settlingWindows }

    /// - Parameter done: files finished so far.
    /// - Returns: whether the costs have changed with it.
    @discardableResult mutating func take(_ interval: SampleInterval, done: Int) -> Bool {
        window.seconds += interval.seconds
        window.bytes += interval.bytes
        window.files = Double(done - (doneBefore ?? 0))
        guard window.seconds >= Self.windowLength else { return false }
        let isChanged = settling > 0 && adopt()
        settling = max(0, settling - 1)
        Self.fold(&sum.seconds, window.seconds)
        Self.fold(&sum.bytes, window.bytes)
        Self.fold(&sum.files, window.files)
        Self.fold(&bytesBytes, window.bytes * window.bytes)
        Self.fold(&bytesFiles, window.bytes * window.files)
        Self.fold(&filesFiles, window.files * window.files)
        Self.fold(&bytesSeconds, window.bytes * window.seconds)
        Self.fold(&filesSeconds, window.files * window.seconds)
        Self.fold(&windows, 1)
        window = Window()
        doneBefore = done
        return isChanged
    }

    /// Takes the costs for as much higher or lower as they were in the window that has ended; how they divide into bytes and
    /// files stays.
    private mutating func adopt() -> Bool {
        let new = window
        window = Window()
        defer { window = new }
        guard new.bytes > 0, let expected = timeLeft(QueueLeft(bytes: new.bytes, files: Int(new.files))), expected > 0
        else { return false }
        let range = Self.largestChange
        let factor = min(max(new.seconds / expected, range.lowerBound), range.upperBound)
        guard !Self.unchanged.contains(factor) else { return false }
        sum.seconds *= factor
        bytesSeconds *= factor
        filesSeconds *= factor
        return true
    }

    private static func fold(_ sum: inout Double, _ term: Double) { sum = sum * kept + term }

    /// A window was closed: files have a cost of their own.
    var isGrown: Bool { windows > 0 }

    /// Seconds that `left` will take; `nil` while too little was seen.
    func timeLeft(_ left: QueueLeft) -> Double? {
        let seconds = sum.seconds + window.seconds
        let bytes = sum.bytes + window.bytes
        let files = sum.files + window.files
        guard seconds >= Self.least, bytes > 0 else { return nil }
        guard files > 0 else { return left.bytes * seconds / bytes }
        guard windows > 0, sum.bytes > 0, sum.files > 0 else {
            return seconds * (Self.bytesShare * left.bytes / bytes + (1 - Self.bytesShare) * Double(left.files) / files)
        }
        let (x, y) = shares()
        return sum.seconds * (x * left.bytes / sum.bytes + y * Double(left.files) / sum.files)
    }

    /// Of the time, the shares due to bytes and to files: x and y above, neither negative.
    private func shares() -> (bytes: Double, files: Double) {
        let (b, c, t) = (sum.bytes / windows, sum.files / windows, sum.seconds / windows)
        let uu = bytesBytes / (b * b) + Self.prior
        let vv = filesFiles / (c * c) + Self.prior
        let uv = bytesFiles / (b * c)
        let ut = bytesSeconds / (b * t) + Self.prior * Self.bytesShare
        let vt = filesSeconds / (c * t) + Self.prior * (1 - Self.bytesShare)
        // Positive: the prior stands on the diagonal.
        let determinant = uu * vv - uv * uv
        let x = (ut * vv - vt * uv) / determinant
        let y = (uu * vt - uv * ut) / determinant
        if y < 0 { return (ut / uu, 0) }
        if x < 0 { return (0, vt / vv) }
        return (x, y)
    }
}
