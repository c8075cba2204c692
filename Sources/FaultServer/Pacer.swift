/// Keeps a body to so many bytes per second.
struct Pacer: Equatable, Sendable {
    let rate: Int64
    private(set) var sent: Int64 = 0

    init(rate: Int64) { self.rate = rate }

    /// A twentieth of a second's worth: smooth to look at, and few enough timers.
    var slice: Int64 { max(1, rate / 20) }

    /// When the next slice is due, counted from the first.
    mutating func due(afterSending count: Int64) -> Duration {
        sent += count
        return .nanoseconds(Int64(Double(sent) / Double(rate) * 1e9))
    }
}
