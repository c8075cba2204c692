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

        package init(bytes: Double, rate: Double) {
            self.bytes = bytes
            self.rate = rate
        }
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
