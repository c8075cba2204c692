import WinchCore

/// Where a bar is shown, as against where its numbers are: eased forward, back only for a stated cause.
///
/// Holds the last change of direction; the shown value at any instant follows from it alone, so that frames may come at
/// any pace or not at all.
struct BarMotion: Hashable, Sendable {
    private enum Course: Hashable, Sendable {
        case still(at: Double)
        /// Nothing known to divide by: a marquee.
        case unknown
        case easing(from: Double, to: Double, since: Moment)
        /// The size was just learned: as easing, but there after 250 ms.
        case learning(to: Double, since: Moment)
        /// Back after a rebase: there when its 500 ms are over.
        case falling(from: Double, to: Double, since: Moment, until: Moment)
        /// Settled well: full after 250 ms, held as fresh for 250 more.
        case filling(from: Double, since: Moment)
    }

    private var course: Course
    private var rebase: Rebase?
    /// When the last rebase was first seen here.
    private var rebasedAt: Moment?
    /// The rainbow's own time: stands still while nothing moves.
    private var flow: Flow

    /// A bar seen for the first time: it stands where its numbers are.
    init(at reading: Reading, isFresh: Bool = false, now: Moment) {
        rebase = reading.rebase
        flow = Flow(isRunning: reading.isFlowing, now: now)
        switch reading.place {
        case .fraction(let fraction): course = .still(at: fraction)
        case .unknown: course = .unknown
        case .whole: course = isFresh ? .filling(from: 0, since: now) : .still(at: 1)
        }
    }

    /// Takes in what the numbers say now.
    mutating func follow(_ reading: Reading, isAnimated: Bool, now: Moment) {
        if reading.rebase != rebase {
            rebase = reading.rebase
            rebasedAt = reading.rebase == nil ? nil : now
        }
        flow.set(isRunning: reading.isFlowing, now: now)
        switch reading.place {
        case .unknown:
            course = .unknown
        case .whole:
            guard isAnimated else { return course = .still(at: 1) }
            if case .filling = course { return }
            if course != .still(at: 1) { course = .filling(from: shown(at: now) ?? 0, since: now) }
        case .fraction(let fraction):
            guard isAnimated else { return course = .still(at: fraction) }
            turn(to: fraction, now: now)
        }
    }

    private mutating func turn(to fraction: Double, now: Moment) {
        guard let shown = shown(at: now) else {
            course = fraction > 0 ? .learning(to: fraction, since: now) : .still(at: 0)
            return
        }
        if fraction == heading { return }
        if fraction > shown {
            course = .easing(from: shown, to: fraction, since: now)
        } else if fraction < shown {
            let until = (rebasedAt ?? now) + Self.window
            let mayFall = rebasedAt != nil && now < until
            course = mayFall ? .falling(from: shown, to: fraction, since: now, until: until) : .still(at: shown)
        }
    }

    /// Where the bar is on its way to.
    private var heading: Double? {
        switch course {
        case .still(let place): place
        case .unknown: nil
        case .easing(_, let to, _), .learning(let to, _), .falling(_, let to, _, _): to
        case .filling: 1
        }
    }

    /// The fraction to draw; `nil`: a marquee.
    func shown(at now: Moment) -> Double? {
        switch course {
        case .still(let place): place
        case .unknown: nil
        case .easing(let from, let to, let since): Easing.step(from: from, to: to, elapsed: now - since)
        case .learning(let to, let since):
            now - since >= Self.fill ? to : Easing.step(from: 0, to: to, elapsed: now - since)
        case .falling(let from, let to, let since, let until):
            now >= until ? to : Easing.step(from: from, to: to, elapsed: now - since)
        case .filling(let from, let since):
            now - since >= Self.fill ? 1 : Easing.step(from: from, to: 1, elapsed: now - since)
        }
    }

    /// True while the finish is being shown, to its last held instant.
    func isFresh(at now: Moment) -> Bool {
        freshUntil.map { now < $0 } ?? false
    }

    /// The end of the held finish.
    var freshUntil: Moment? {
        guard case .filling(_, let since) = course else { return nil }
        return since + Self.fill + Self.hold
    }

    /// True while the drawn bar of `width` cells will still move by itself.
    func isMoving(width: Int, shape: Bar.Shape = .block, at now: Moment) -> Bool {
        switch course {
        case .still, .unknown: return false
        case .filling: return (shown(at: now) ?? 1) < 1
        case .easing, .learning, .falling:
            guard let shown = shown(at: now), let heading else { return false }
            return Bar.step(shown, width: width, shape: shape) != Bar.step(heading, width: width, shape: shape)
        }
    }

    /// Whether `rebase` is another than the last one seen here.
    func isNews(_ rebase: Rebase?) -> Bool { rebase != self.rebase }

    /// Why the bar moved back, while a person may wonder; `nil` later.
    func cause(at now: Moment) -> Rebase? {
        causeUntil.flatMap { now < $0 ? rebase : nil }
    }

    var causeUntil: Moment? { rebasedAt.map { $0 + Self.explained } }

    /// The rainbow's time at `now`.
    func flowed(at now: Moment) -> Duration { flow.elapsed(at: now) }

    private static let window = Duration.milliseconds(500)
    private static let fill = Duration.milliseconds(250)
    private static let hold = Duration.milliseconds(250)
    /// 4 s: long enough to read a few words that one did not expect.
    private static let explained = Duration.seconds(4)
}

extension BarMotion {
    /// What a bar's numbers say at one instant.
    struct Reading: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            /// 0 up to, not including, 1.
            case fraction(Double)
            case unknown
            /// Settled well.
            case whole
        }

        var place: Place
        var rebase: Rebase?
        /// Bytes move now, and with them a rainbow.
        var isFlowing: Bool
    }
}

/// A clock that stands still while it is stopped.
private struct Flow: Hashable, Sendable {
    /// How long it has been stopped in all.
    private var lost = Duration.zero
    private var stoppedAt: Moment?

    init(isRunning: Bool, now: Moment) {
        stoppedAt = isRunning ? nil : now
    }

    mutating func set(isRunning: Bool, now: Moment) {
        if isRunning, let stopped = stoppedAt {
            lost += max(.zero, now - stopped)
            stoppedAt = nil
        } else if !isRunning, stoppedAt == nil {
            stoppedAt = now
        }
    }

    func elapsed(at now: Moment) -> Duration {
        (stoppedAt ?? now) - Moment(nanoseconds: 0) - lost
    }
}
