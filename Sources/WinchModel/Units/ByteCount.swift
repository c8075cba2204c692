/// A number of bytes, or a position in a file.
///
/// Differences may be negative (bytes lost on a restart); counts of bytes on disk never are. Arithmetic wraps on overflow
/// and never traps.
public struct ByteCount: Hashable, Comparable, Sendable {
    /// May be negative.
    public var bytes: Int64

    public init(bytes: Int64) { self.bytes = bytes }

    public static let zero = ByteCount(bytes: 0)

    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    /// Sums and differences wrap on overflow.
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &+ right.bytes)
    }
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &- right.bytes)
    }
    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    public static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }
    public static prefix func - (count: ByteCount) -> ByteCount { ByteCount(bytes: 0 &- count.bytes) }

    /// The rate; `nil` when `elapsed` is not positive.
    public func rate(over elapsed: Duration) -> ByteRate? {
        elapsed > .zero ? ByteRate(perSecond: Double(bytes) / elapsed.seconds) : nil
    }
}

extension ByteCount: Codable {
    public init(from decoder: any Decoder) throws { bytes = try decoder.singleValueContainer().decode(Int64.self) }

    public func encode(to encoder: any Encoder) throws { try bytes.encode(to: encoder) }
}

/// A rate in bytes a second.
public struct ByteRate: Hashable, Comparable, Sendable {
    /// Finite and not negative.
    public var perSecond: Double

    /// - Parameter perSecond: a negative number, infinity or NaN becomes 0.
    public init(perSecond: Double) { self.perSecond = perSecond.isFinite ? max(0, perSecond) : 0 }

    public static let zero = ByteRate(perSecond: 0)

    public static func < (left: ByteRate, right: ByteRate) -> Bool { left.perSecond < right.perSecond }
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
    public init(from decoder: any Decoder) throws {
        self.init(perSecond: try decoder.singleValueContainer().decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws { try perSecond.encode(to: encoder) }
}

extension Int64 {
    /// The sum of two counts; a negative one counts as nothing, and a sum beyond the largest number is that number.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, isTooMuch) = Swift.max(0, self).addingReportingOverflow(Swift.max(0, other))
        return isTooMuch ? .max : sum
    }
}

/// What is known of a transfer's size, from a guess to a fact. A lower confidence never replaces a higher one.
package enum SizeKnowledge: Hashable, Sendable, Codable {
    /// Nothing known; the estimate stands in the queue's sum, marked `~`.
    case unknown(estimate: ByteCount)
    /// A HEAD, or a state kept from before, said so.
    case probed(ByteCount)
    /// The headers of the body itself said so.
    case declared(ByteCount)
    /// The body has ended here.
    case exact(ByteCount)

    /// How sure a size is, by its name in the protocol, from a guess to a fact.
    package enum Source: String, Codable, CaseIterable, Sendable {
        case guessed, probed, declared, exact
    }

    package init(_ source: Source, _ size: ByteCount) {
        self =
            switch source {
            case .guessed: .unknown(estimate: size)
            case .probed: .probed(size)
            case .declared: .declared(size)
            case .exact: .exact(size)
            }
    }

    package var source: Source { Source.allCases[confidence] }

    /// 0 for a guess to 3 for a fact.
    package var confidence: Int {
        switch self {
        case .unknown: 0
        case .probed: 1
        case .declared: 2
        case .exact: 3
        }
    }

    /// The size, `nil` while it is a guess.
    package var known: ByteCount? {
        switch self {
        case .unknown: nil
        case .probed(let size), .declared(let size), .exact(let size): size
        }
    }

    /// The size, known or guessed.
    package var guess: ByteCount {
        switch self {
        case .unknown(let size), .probed(let size), .declared(let size), .exact(let size): size
        }
    }

    /// The better of the two: `new` unless it is less sure than what is known.
    package func refined(by new: SizeKnowledge) -> SizeKnowledge { new.confidence >= confidence ? new : self }
}

/// Completed over total, exact at both ends: 1 only when all is settled, never NaN, never above 1.
package struct Fraction: Equatable, Sendable {
    /// 0...1; below 1 unless all is settled.
    package let value: Double
    private let completed: Int64
    private let total: Int64

    package init(completed: Int64, total: Int64, allSettled: Bool) {
        (self.completed, self.total) = allSettled ? (1, 1) : (completed, total)
        if allSettled {
            value = 1
        } else if total <= 0 || completed <= 0 {
            value = 0
        } else {
            value = min(Double(completed) / Double(total), 1.0.nextDown)
        }
    }

    /// Of a bar that does not follow its sums; 0..<1.
    package init(held value: Double) {
        self.value = value
        (completed, total) = (Int64(value * Self.parts), Int64(Self.parts))
    }

    /// More than a percent needs, and exact in a `Double`.
    private static let parts = 1e15

    /// Whole percent, floored on the integers themselves: 29 of 100 is 29, and 100 only when all is settled.
    package var percent: Int {
        guard value > 0, value < 1 else { return value < 1 ? 0 : 100 }
        return Int(min(Int128(completed) * 100 / Int128(total), 99))
    }

    package static func == (left: Fraction, right: Fraction) -> Bool {
        left.value == right.value && left.percent == right.percent
    }
}
