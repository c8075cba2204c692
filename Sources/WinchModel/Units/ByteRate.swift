/// A rate in bytes a second.
public struct ByteRate: Hashable, Comparable, Sendable {
    /// Finite and not negative.
    public var perSecond: Double

    /// - Parameter perSecond: a negative number, infinity or NaN becomes 0.
    public init(perSecond: Double) {
        self.perSecond = perSecond.isFinite ? max(0, perSecond) : 0
    }

    /// Nothing moves.
    public static let zero = ByteRate(perSecond: 0)

    /// Whether `left` is slower.
    public static func < (left: ByteRate, right: ByteRate) -> Bool { left.perSecond < right.perSecond }
    /// The sum.
    public static func + (left: ByteRate, right: ByteRate) -> ByteRate {
        ByteRate(perSecond: left.perSecond + right.perSecond)
    }

    /// The time that `count` bytes take at this rate; `nil` when the rate is 0, and when the time exceeds `TimeLeftFormat.longest`.
    public func time(for count: ByteCount) -> Duration? {
        guard perSecond > 0 else { return nil }
        let seconds = Double(max(0, count.bytes)) / perSecond
        return seconds < TimeLeftFormat.longest ? .seconds(seconds) : nil
    }
}

extension ByteRate: Codable {
    /// Decodes a number of bytes a second.
    public init(from decoder: any Decoder) throws {
        self.init(perSecond: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Encodes the number of bytes a second.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(perSecond)
    }
}
