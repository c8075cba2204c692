package import WinchModel

/// Tells the gaps that belong to a stream from those that do not: stalls.
///
/// A slow link that brings 16 KiB every three seconds does not stall between them; a quick one that brings nothing for
/// three seconds does. So the limit is three times the usual gap, and never below 1.5 s: half a second under the two in
/// which a stall must be admitted, and above the off times of bursty servers.
package struct StallDetector: Hashable, Sendable {
    /// Stalls so far, and the seconds they took.
    private(set) var stalls = 0
    private(set) var stalledSeconds = 0.0
    /// Seconds. Rises fast and falls slowly, so that it says how long the longer ones of the gaps are.
    private var typicalGap = 0.0
    private var samplesSinceStall = 0

    private static let shortestStall = 1.5
    /// A gap three times the usual is rare where gaps are random: 5% of exponential ones.
    private static let timesUsual = 3.0
    /// Four gaps make a habit: before, a long gap may be the stream's own rhythm, and counts as active time.
    private static let rhythmSamples = 4
    /// A longer gap takes `typicalGap` two thirds of the way up in 4 s of gaps; shorter ones take it down in 10 s.
    private static let rise = 2.0
    private static let fall = 10.0

    /// A gap above this is not the stream's own; seconds.
    var limit: Double { max(Self.shortestStall, Self.timesUsual * typicalGap) }

    /// The stream is known well enough to call a gap a stall.
    var isRhythmKnown: Bool { samplesSinceStall >= Self.rhythmSamples }

    /// Takes the gap between two samples.
    ///
    /// - Returns: `true` when it was a stall.
    mutating func takeGap(_ gap: Double) -> Bool {
        if gap > limit {
            if isRhythmKnown {
                stalls += 1
                stalledSeconds += gap
                samplesSinceStall = 0
                return true
            }
            typicalGap = max(typicalGap, gap / 2)
        } else {
            let memory = gap > typicalGap ? Self.rise : Self.fall
            typicalGap += (gap - typicalGap) * gap / (memory + gap)
        }
        samplesSinceStall = min(samplesSinceStall + 1, Self.rhythmSamples)
        return false
    }

    /// A new connection: its rhythm is not known.
    mutating func forgetRhythm() { samplesSinceStall = 0 }

    /// What stalls yet to come add to a time left without them: >= 1.
    ///
    /// S stalled seconds per A active ones were seen, in n stalls. One says nothing of a second; with more, S / A comes to
    /// be expected as (n - 1) / (n + 1). A third of it is added: that halves the error where stalls go on, and keeps the
    /// countdown near the truth where they are over.
    func factor(activeSeconds: Double) -> Double {
        guard stalls > 1, activeSeconds > 0 else { return 1 }
        let trust = Double(stalls - 1) / Double(stalls + 1) / 3
        return 1 + trust * stalledSeconds / activeSeconds
    }
}

/// Detects a connection that is slower than the user's lowest speed (`--lowest-speed`).
package struct LowestSpeed: Hashable, Sendable {
    private var since: Moment
    private var bytes: Int64

    /// The rate is averaged over this time, so that a slow start, a full disk cache or short congestion does not end a
    /// connection.
    package static let span = Duration.seconds(30)
    /// A transfer whose limit is less than `floor * margin` is slow because of its limit, and is not failed for it.
    private static let margin = 1.25

    /// - Parameter bytes: all bytes received so far.
    package init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// Measures the rate; to be called regularly.
    ///
    /// - Parameters:
    ///   - bytes: all bytes received so far.
    ///   - floor: the lowest rate that is accepted.
    ///   - limit: the transfer's rate limit; `nil`: none.
    ///   - isHeld: the rate limiter holds the transfer back, so the low rate is not the fault of the connection.
    /// - Returns: the rate over the last span if it was below `floor`; `nil` otherwise, and until a span has passed.
    package mutating func tooLow(
        at now: Moment, bytes: Int64, floor: ByteRate, limit: ByteRate?, isHeld: Bool
    ) -> ByteRate? {
        if isHeld || limit.map({ $0.perSecond < floor.perSecond * Self.margin }) ?? false {
            self = LowestSpeed(at: now, bytes: bytes)
            return nil
        }
        guard now - since >= Self.span else { return nil }
        let rate = ByteCount(bytes: bytes - self.bytes).rate(over: now - since) ?? .zero
        self = LowestSpeed(at: now, bytes: bytes)
        return rate < floor ? rate : nil
    }

    /// Excludes a time during which the process was suspended.
    package mutating func exclude(_ gap: Duration) { since = since + gap }
}
