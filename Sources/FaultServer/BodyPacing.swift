/// Spaces the slices of a body so that it is sent at `rate` bytes per second.
struct BodyPacing: Equatable, Sendable {
    let rate: Int64
    private(set) var sent: Int64 = 0

    init(rate: Int64) { self.rate = rate }

    /// Bytes of one slice, a twentieth of a second's worth: progress looks smooth, and the timers stay few.
    var slice: Int64 { max(1, rate / 20) }

    /// When the next slice is due, counted from the first.
    mutating func due(afterSending count: Int64) -> Duration {
        sent += count
        return .nanoseconds(Int64(Double(sent) / Double(rate) * 1e9))
    }
}
