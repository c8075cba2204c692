/// Completed over total, exact at both ends: 1 only when all is settled, never NaN, never above 1.
public struct Fraction: Hashable, Sendable {
    /// 0...1; below 1 unless all is settled.
    public let value: Double

    public init(completed: Int64, total: Int64, allSettled: Bool) {
        if allSettled {
            value = 1
        } else if total <= 0 || completed <= 0 {
            value = 0
        } else {
            value = min(Double(completed) / Double(total), 1.0.nextDown)
        }
    }

    /// Whole percent, floored: 100 only when all is settled.
    public var percent: Int { Int(value * 100) }
}
