/// Completed over total, exact at both ends: 1 only when all is settled, never NaN, never above 1.
package struct Fraction: Hashable, Sendable {
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

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
