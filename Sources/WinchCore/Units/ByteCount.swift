/// A number of bytes. Never a rate, never a position in a string.
///
/// Differences may be negative (bytes lost on a restart); counts of what is on disk never are.
public struct ByteCount: Hashable, Comparable, Sendable {
    public var bytes: Int64

    public init(bytes: Int64) {
        self.bytes = bytes
    }

    public static let zero = ByteCount(bytes: 0)

    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &+ right.bytes)
    }
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(bytes: left.bytes &- right.bytes)
    }
    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    public static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }
    public static prefix func - (count: ByteCount) -> ByteCount { ByteCount(bytes: 0 &- count.bytes) }

    /// Bytes a second; `nil` when `elapsed` is not positive: no time, no rate.
    public func rate(over elapsed: Duration) -> ByteRate? {
        elapsed > .zero ? ByteRate(perSecond: Double(bytes) / elapsed.seconds) : nil
    }
}

extension ByteCount: Codable {
    public init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
