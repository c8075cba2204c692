/// A number of bytes, or a position in a file.
///
/// Differences may be negative (bytes lost on a restart); counts of bytes on disk never are. Arithmetic wraps on overflow
/// and never traps.
public struct ByteCount: Hashable, Comparable, Sendable {
    /// May be negative.
    public var bytes: Int64

    /// - Parameter bytes: any number.
    public init(bytes: Int64) {
        self.bytes = bytes
    }

    /// No bytes.
    public static let zero = ByteCount(bytes: 0)

    /// Whether `left` is fewer bytes.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    /// The sum; wraps on overflow.
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &+ right.bytes)
    }
    /// The difference; wraps on overflow.
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &- right.bytes)
    }
    /// Adds; wraps on overflow.
    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    /// Subtracts; wraps on overflow.
    public static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }
    /// The number with the other sign; wraps on overflow.
    public static prefix func - (count: ByteCount) -> ByteCount { ByteCount(bytes: 0 &- count.bytes) }

    /// The rate; `nil` when `elapsed` is not positive.
    public func rate(over elapsed: Duration) -> ByteRate? {
        elapsed > .zero ? ByteRate(perSecond: Double(bytes) / elapsed.seconds) : nil
    }
}

extension ByteCount: Codable {
    /// Decodes a number.
    public init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
