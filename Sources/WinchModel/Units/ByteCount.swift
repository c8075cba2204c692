/// A number of bytes, or a position in a file.
///
/// Differences may be negative (bytes lost on a restart); counts of bytes on disk never are. Arithmetic wraps on overflow
/// and never traps.
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

    /// The rate; `nil` when `elapsed` is not positive.
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
