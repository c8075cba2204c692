public import WinchCore

/// Turns moments into the time of day as the person's own clock shows it.
public struct WallClock: Hashable, Sendable {
    /// What to add to a moment to get seconds since a midnight of the person's time zone.
    private let offset: Duration

    public init(offset: Duration = .zero) {
        self.offset = offset
    }

    /// `09:41:07`.
    public func time(of moment: Moment) -> String {
        let seconds = Int64((moment + offset).nanoseconds / 1_000_000_000)
        let day: Int64 = 24 * 60 * 60
        let into = ((seconds % day) + day) % day
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(into / 3600)):\(two(into / 60 % 60)):\(two(into % 60))"
    }
}
