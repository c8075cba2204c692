package import WinchModel

/// The rate of one stream of bytes, cut at arrivals: a server that paces its body sends lumps, and counting from the start of
/// one lump to the start of another is exact where a fixed grid would be off by a lump.
package struct ArrivalMeter: Hashable, Sendable {
    /// Intervals that are complete, with what is needed for the variance of their ratio.
    package struct Sums: Hashable, Sendable {
        package internal(set) var count = 0
        var seconds = 0.0
        var bytes = 0.0
        var secondsSquared = 0.0
        var bytesSquared = 0.0
        var product = 0.0

        mutating func add(seconds span: Double, bytes count: Double) {
            self.count += 1
            seconds += span
            bytes += count
            secondsSquared += span * span
            bytesSquared += count * count
            product += span * count
        }

        /// Bytes a second; `nil` without an interval.
        var rate: Double? { seconds > 0 ? bytes / seconds : nil }

        /// The square of the standard error of `rate`; `nil` below two intervals.
        var variance: Double? {
            guard count > 1, let rate else { return nil }
            let squares = bytesSquared - 2 * rate * product + rate * rate * secondsSquared
            return max(0, squares) * Double(count) / Double(count - 1) / (seconds * seconds)
        }
    }

    /// Complete intervals since the last `restart`.
    package private(set) var closed = Sums()
    /// The longest of them, in seconds.
    package private(set) var longest = 0.0
    private var openedAt: Moment?
    private var openBytes = 0.0
    private var startedAt: Moment
    private var lastAt: Moment?

    /// Arrivals closer together are one: the rhythm of reads is no rhythm of the line.
    private static let shortest = 0.01

    package init(at now: Moment) { startedAt = now }

    /// Bytes have arrived since the last `restart`.
    var hasArrivals: Bool { lastAt != nil }

    /// Time since the last arrival, or since the start.
    func silence(at now: Moment) -> Double { max(0, (now - (lastAt ?? startedAt)).seconds) }

    package mutating func take(_ bytes: Int64, at now: Moment) {
        guard bytes > 0 else { return }
        lastAt = now
        guard let start = openedAt else {
            (openedAt, openBytes) = (now, Double(bytes))
            return
        }
        let span = (now - start).seconds
        guard span >= Self.shortest else {
            openBytes += Double(bytes)
            return
        }
        closed.add(seconds: span, bytes: openBytes)
        longest = max(longest, span)
        (openedAt, openBytes) = (now, Double(bytes))
    }

    /// Forgets what came before: from now on another state of the line is measured.
    package mutating func restart(at now: Moment) { self = ArrivalMeter(at: now) }

    /// Bytes a second. While it has no complete interval this is an upper bound: all bytes over the time since the first.
    /// A silence that is longer than the rhythm explains lowers it. `nil` before the first byte.
    package func rate(at now: Moment) -> Double? {
        guard let openedAt else { return nil }
        let open = max(0, (now - openedAt).seconds)
        guard closed.count > 0 else { return openBytes / max(open, Self.shortest) }
        guard open > 1.5 * longest else { return closed.rate }
        return (closed.bytes + openBytes) / (closed.seconds + open)
    }

    /// The square of the standard error of `rate(at:)`; without two complete intervals as large as the rate itself.
    package func variance(at now: Moment) -> Double {
        guard let rate = rate(at: now) else { return 0 }
        return closed.variance ?? rate * rate
    }
}
