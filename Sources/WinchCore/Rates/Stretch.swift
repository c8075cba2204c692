/// A piece of a stream between two of its samples: so many bytes came in so many seconds of its clock.
struct Stretch: Hashable, Sendable {
    /// Positive.
    var seconds: Double
    /// Not negative; a real number, because only ratios are taken of it.
    var bytes: Double

    /// Bytes a second.
    var rate: Double { bytes / seconds }

    static let zero = Stretch(seconds: 0, bytes: 0)

    static func += (left: inout Stretch, right: Stretch) {
        left.seconds += right.seconds
        left.bytes += right.bytes
    }
}

/// Cuts a stream of samples into stretches, at samples and nowhere else: who looks, and how often, changes nothing.
///
/// A stretch ends at the first sample that is at least `shortest` after its begin. Ending at a sample, and not at a tick
/// of a grid, its length is exact: a grid of 0.1 s over chunks of 20 ms would see 4, 5 or 6 of them, 20% of noise that
/// the stream does not have.
struct StretchCutter: Hashable, Sendable {
    private var beganAt = 0.0
    private var beganWith: Int64 = 0

    /// 0.1 s: half of what a person notices, and some ten chunks of a quick stream.
    private static let shortest = 0.1

    mutating func begin(at seconds: Double, with bytes: Int64) {
        beganAt = seconds
        beganWith = bytes
    }

    /// - Parameters:
    ///   - seconds: of the stream's clock, at this sample.
    ///   - bytes: cumulative.
    mutating func cut(at seconds: Double, with bytes: Int64) -> Stretch? {
        guard seconds - beganAt >= Self.shortest else { return nil }
        defer { begin(at: seconds, with: bytes) }
        return Stretch(seconds: seconds - beganAt, bytes: Double(bytes) - Double(beganWith))
    }
}
