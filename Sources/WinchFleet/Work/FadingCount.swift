import WinchModel

/// How many events there were in a second, lately: the last whole second, or the one before it.
struct FadingCount: Sendable {
    private var current = 0
    private var since: Moment?
    private(set) var perSecond = 0

    mutating func count() { current += 1 }

    mutating func pass(to now: Moment) {
        guard let start = since else { return since = now }
        let span = now - start
        guard span >= .seconds(1) else { return }
        perSecond = Int(Double(current) / (span / .seconds(1)))
        (current, since) = (0, now)
    }
}
