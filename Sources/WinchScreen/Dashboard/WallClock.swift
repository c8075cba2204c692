package import WinchModel

/// Converts moments to the time of day in the user's time zone.
package struct WallClock: Hashable, Sendable {
    /// Added to a moment, gives the time since a midnight in the user's time zone.
    private let offset: Duration

    package init(offset: Duration = .zero) { self.offset = offset }

    /// `09:41:07`; with its day if that was before the day of `now`: `2 days ago 09:41:07`.
    package func time(of moment: Moment, seenAt now: Moment) -> String {
        let days = day(of: now) - day(of: moment)
        switch days {
        case ...0: return time(of: moment)
        case 1: return "yesterday " + time(of: moment)
        default: return "\(days) days ago " + time(of: moment)
        }
    }

    private func day(of moment: Moment) -> Int64 {
        (moment + offset).nanoseconds.quotient(flooredBy: 86_400 * 1_000_000_000)
    }

    /// `09:41:07`.
    package func time(of moment: Moment) -> String {
        let seconds = Int64((moment + offset).nanoseconds / 1_000_000_000)
        let day: Int64 = 24 * 60 * 60
        let into = ((seconds % day) + day) % day
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(into / 3600)):\(two(into / 60 % 60)):\(two(into % 60))"
    }
}
