/// What moves now, from (time, bytes) samples: a pure function of them, whatever the number of frames drawn.
///
/// Samples are gathered into steps of at least 0.25 s; a step's rate enters an exponentially weighted mean of 3 s. The
/// weight of a step of length d is `1 - exp(-d/3 s)`, so the mean does not depend on how often samples come; it is
/// divided by the weight gathered so far, so that the first step counts in full and not as a rise from zero.
public struct RateEstimator: Hashable, Sendable {
    private var last: (at: Moment, bytes: Int64)?
    private var weighted = 0.0
    private var weight = 0.0
    /// When bytes last came.
    private var movedAt: Moment?

    private static let step = 0.25
    private static let memory = 3.0
    /// A pause in the stream longer than this is a stall, admitted as rate zero.
    private static let stall = 2.0

    public init() {}

    /// - Parameter bytes: cumulative; a fall means that bytes were lost, and begins anew.
    public mutating func record(_ bytes: ByteCount, at now: Moment) {
        guard let last, bytes.bytes >= last.bytes else {
            self = RateEstimator()
            last = (now, bytes.bytes)
            return
        }
        if bytes.bytes > last.bytes { movedAt = now }
        let elapsed = (now - last.at).seconds
        guard elapsed >= Self.step else { return }
        let share = 1 - Self.exponential(-elapsed / Self.memory)
        weighted += share * (Double(bytes.bytes - last.bytes) / elapsed - weighted)
        weight += share * (1 - weight)
        self.last = (now, bytes.bytes)
    }

    /// `nil` until enough was seen; zero in a stall.
    public func rate(at now: Moment) -> ByteRate? {
        stalledSince(at: now) == nil ? mean : .zero
    }

    /// The weighted mean, whether bytes come just now or not.
    var mean: ByteRate? {
        weight > 0 ? ByteRate(perSecond: weighted / weight) : nil
    }

    /// Since when no byte has come, when that is long enough to be called a stall.
    public func stalledSince(at now: Moment) -> Moment? {
        guard let moved = movedAt ?? last?.at, (now - moved).seconds > Self.stall else { return nil }
        return moved
    }

    /// When the rest will have come; `nil` while nothing moves or too little was seen.
    public func finish(of left: ByteCount, at now: Moment) -> Moment? {
        guard let rate = rate(at: now), let time = rate.time(for: left) else { return nil }
        return now + time
    }

    /// e^x for x <= 0. Foundation is not imported here: halved until small, then the series, then squared back.
    private static func exponential(_ x: Double) -> Double {
        guard x > -40 else { return 0 }
        let small = x / 256
        var result = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4)))
        for _ in 0..<8 { result *= result }
        return result
    }

    public static func == (left: RateEstimator, right: RateEstimator) -> Bool {
        left.last?.at == right.last?.at && left.last?.bytes == right.last?.bytes && left.weighted == right.weighted
            && left.weight == right.weight && left.movedAt == right.movedAt
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(weighted)
        hasher.combine(weight)
        hasher.combine(last?.bytes)
    }
}
