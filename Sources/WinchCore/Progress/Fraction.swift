/// Completed over total, exact at both ends: 1 only when all is settled, never NaN, never above 1.
public struct Fraction: Hashable, Sendable {
    /// 0...1; below 1 unless all is settled.
    public let value: Double
    /// Whole percent, floored on the integers themselves: 29 of 100 is 29, and 100 only when all is settled.
    public let percent: Int

    public init(completed: Int64, total: Int64, allSettled: Bool) {
        if allSettled {
            (value, percent) = (1, 100)
        } else if total <= 0 || completed <= 0 {
            (value, percent) = (0, 0)
        } else {
            value = min(Double(completed) / Double(total), 1.0.nextDown)
            percent = Int(min(Int128(completed) * 100 / Int128(total), 99))
        }
    }
}
