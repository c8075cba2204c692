import WinchModel

/// The shown value of a bar, which follows the actual value: it eases forward, and moves back only for a reported
/// cause (`Rebase`).
///
/// It stores the last change of its target only, and the shown value at any instant is computed from that, so that it
/// does not depend on when frames are drawn.
struct BarAnimation: Hashable, Sendable {
    private enum Stage: Hashable, Sendable {
        case still(at: Double)
        /// The size is unknown: a marquee.
        case unknown
        /// Eases towards its target, and is there at `until`; `nil`: when the easing ends.
        case moving(from: Double, to: Double, since: Moment, until: Moment?)
        /// Finished: full after 250 ms, then highlighted for 250 ms.
        case filling(from: Double, since: Moment)
    }

    private var stage: Stage
    /// `nil`: all bytes are at the start of the file.
    private(set) var parts: SegmentAnimation?
    private(set) var rebase: Rebase?
    /// When `follow` first saw the last rebase.
    private var rebasedAt: Moment?
    /// Where a bar stood before transfers left it; `nil`: none have, or they are back.
    private var removedFrom: Double?
    /// The rainbow's clock, which is stopped while no bytes move.
    private var flow: Flow

    /// A bar that is shown for the first time, at its actual value.
    ///
    /// - Parameter isFresh: a finished bar fills up from 0.
    init(at reading: Reading, isFresh: Bool = false, now: Moment) {
        rebase = reading.rebase
        flow = Flow(isRunning: reading.isFlowing, now: now)
        switch reading.place {
        case .fraction(let fraction): stage = .still(at: fraction)
        case .unknown: stage = .unknown
        case .whole: stage = isFresh ? .filling(from: 0, since: now) : .still(at: 1)
        }
        parts = reading.parts.map { SegmentAnimation($0, prefix: nil, now: now) }
    }

    /// Takes over the actual values of a bar.
    mutating func follow(_ reading: Reading, isAnimated: Bool, now: Moment) {
        if reading.rebase != rebase {
            rebase = reading.rebase
            rebasedAt = reading.rebase == nil ? nil : now
            removedFrom = nil
            if case .removed? = reading.rebase?.cause, let from = heading, !reading.place.reaches(from) {
                removedFrom = from
            }
        } else if let from = removedFrom, reading.place.reaches(from) {
            // What was removed has been restored: its words would be wrong now.
            (rebasedAt, removedFrom) = (nil, nil)
        }
        flow.set(isRunning: reading.isFlowing, now: now)
        let end = parts?.end(at: now)
        followParts(reading, isAnimated: isAnimated, now: now)
        switch reading.place {
        case .unknown: stage = .unknown
        case .whole:
            guard isAnimated else { return stage = .still(at: 1) }
            if case .filling = stage { return }
            if stage != .still(at: 1) { stage = .filling(from: end ?? shown(at: now) ?? 0, since: now) }
        case .fraction(let fraction):
            guard isAnimated else { return stage = .still(at: fraction) }
            retarget(to: fraction, now: now)
        }
    }

    private mutating func followParts(_ reading: Reading, isAnimated: Bool, now: Moment) {
        guard let new = reading.parts ?? closed(reading) else { return parts = nil }
        guard parts != nil else {
            let prefix = isAnimated ? shown(at: now).map { $0 * Double(new.size) } : nil
            parts = SegmentAnimation(new, prefix: prefix, now: now)
            return
        }
        parts?.follow(new, isAnimated: isAnimated, now: now)
    }

    /// A bar that was drawn in parts stays so when the last gap is filled: that of one connection rounds down, and would
    /// step back.
    private func closed(_ reading: Reading) -> BarSegments? {
        guard case .fraction(let fraction) = reading.place else { return nil }
        return parts?.closed(at: fraction)
    }

    private mutating func retarget(to fraction: Double, now: Moment) {
        guard let shown = shown(at: now) else {
            // The size has just become known.
            stage =
                fraction > 0 ? .moving(from: 0, to: fraction, since: now, until: now + Self.fill) : .still(at: 0)
            return
        }
        if fraction == heading { return }
        if fraction > shown {
            stage = .moving(from: shown, to: fraction, since: now, until: nil)
        } else if fraction < shown {
            let until = (rebasedAt ?? now) + Self.window
            let mayFall = rebasedAt != nil && now < until
            stage = mayFall ? .moving(from: shown, to: fraction, since: now, until: until) : .still(at: shown)
        }
    }

    /// The fraction that the bar moves towards; `nil`: unknown.
    private var heading: Double? {
        switch stage {
        case .still(let place): place
        case .unknown: nil
        case .moving(_, let to, _, _): to
        case .filling: 1
        }
    }

    /// The fraction to draw; `nil`: a marquee.
    func shown(at now: Moment) -> Double? {
        switch stage {
        case .still(let place): place
        case .unknown: nil
        case .moving(_, let to, _, let until?) where now >= until: to
        case .moving(let from, let to, let since, _): AnimationEasing.step(from: from, to: to, elapsed: now - since)
        case .filling(let from, let since):
            now - since >= Self.fill ? 1 : AnimationEasing.step(from: from, to: 1, elapsed: now - since)
        }
    }

    /// The cells in which connections work, as drawn; `nil`: the file has no parts.
    func marks(width: Int, at now: Moment) -> Set<Int>? { parts?.shown(at: now).marks(width) }

    /// True while a finished bar fills up and is highlighted.
    func isFresh(at now: Moment) -> Bool { freshUntil.map { now < $0 } ?? false }

    /// When the highlight of a finished bar ends; `nil` for any other bar.
    var freshUntil: Moment? {
        guard case .filling(_, let since) = stage else { return nil }
        return since + Self.fill + Self.hold
    }

    /// True while the drawn bar of `width` cells will still move by itself.
    func isMoving(width: Int, shape: ProgressBar.Shape = .block, at now: Moment) -> Bool {
        if let parts { return parts.isMoving(width: width, at: now) }
        switch stage {
        case .still, .unknown: return false
        case .filling: return (shown(at: now) ?? 1) < 1
        case .moving:
            guard let shown = shown(at: now), let heading else { return false }
            return ProgressBar.step(shown, width: width, shape: shape)
                != ProgressBar.step(heading, width: width, shape: shape)
        }
    }

    /// When the drawn bar of `width` cells will next look different by itself, in steps of frames; `nil`: it will not.
    func nextStep(
        width: Int, shape: ProgressBar.Shape = .block, after now: Moment, frame: Duration
    ) -> Moment? {
        guard isMoving(width: width, shape: shape, at: now) else { return nil }
        if let parts { return parts.nextStep(width: width, after: now, frame: frame) }
        guard case .moving(_, let to, _, nil) = stage, let shown = shown(at: now) else { return now + frame }
        let step = ProgressBar.step(shown, width: width, shape: shape)
        let left = ProgressBar.step(to, width: width, shape: shape) - step
        return AnimationEasing.firstChange(after: now, frame: frame, isShort: left < (shape == .block ? 16 : 4)) {
            ProgressBar.step(self.shown(at: $0) ?? to, width: width, shape: shape) != step
        }
    }

    /// Why the bar moved back; `nil` from `causeUntil` on.
    func cause(at now: Moment) -> Rebase? { causeUntil.flatMap { now < $0 ? rebase : nil } }

    var causeUntil: Moment? { rebasedAt.map { $0 + Self.explained } }

    func flowed(at now: Moment) -> Duration { flow.elapsed(at: now) }

    /// Time after a rebase in which the bar may move back.
    private static let window = Duration.milliseconds(500)
    /// Time in which a bar fills up, or reaches the fraction of a size that has become known.
    private static let fill = Duration.milliseconds(250)
    /// Time for which a full bar is highlighted.
    private static let hold = Duration.milliseconds(250)
    /// 4 s: long enough for the user to read a few unexpected words.
    private static let explained = Duration.seconds(4)
}

extension BarAnimation {
    /// The actual values of a bar at one instant.
    struct Reading: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            /// 0 up to, not including, 1.
            case fraction(Double)
            case unknown
            /// Finished; for the queue, all transfers are settled.
            case whole

            func reaches(_ fraction: Double) -> Bool {
                switch self {
                case .fraction(let own): own >= fraction
                case .unknown: false
                case .whole: true
                }
            }
        }

        var place: Place
        var rebase: Rebase?
        /// Bytes move now; the rainbow moves only then.
        var isFlowing: Bool
        /// Of a file whose bytes come over several connections.
        var parts: BarSegments?
    }
}

private struct Flow: Hashable, Sendable {
    /// The total time for which it has been stopped, without the current stop.
    private var lost = Duration.zero
    private var stoppedAt: Moment?

    init(isRunning: Bool, now: Moment) { stoppedAt = isRunning ? nil : now }

    mutating func set(isRunning: Bool, now: Moment) {
        if isRunning, let stopped = stoppedAt {
            lost += max(.zero, now - stopped)
            stoppedAt = nil
        } else if !isRunning, stoppedAt == nil {
            stoppedAt = now
        }
    }

    func elapsed(at now: Moment) -> Duration { (stoppedAt ?? now) - Moment(nanoseconds: 0) - lost }
}

extension TransferSnapshot {
    var barReading: BarAnimation.Reading {
        BarAnimation.Reading(place: place, rebase: rebase, isFlowing: isFlowing, parts: parts)
    }

    var isFlowing: Bool { phase == .moving && stalledSince == nil }

    private var parts: BarSegments? {
        guard let split, !split.onDisk.isEmpty || split.connections > 1, let size = size.known else { return nil }
        return BarSegments(split.onDisk, working: split.working, size: size.bytes)
    }

    private var place: BarAnimation.Reading.Place {
        if case .finished = phase { return .whole }
        return fraction.map(BarAnimation.Reading.Place.init(fraction:)) ?? .unknown
    }
}

extension QueueTotals {
    var barReading: BarAnimation.Reading { BarAnimation.Reading(place: place, rebase: rebase, isFlowing: active > 0) }

    private var place: BarAnimation.Reading.Place {
        if count == 0 { return .fraction(0) }
        if allSettled { return .whole }
        return isIndeterminate ? .unknown : .init(fraction: fraction)
    }
}

extension BarAnimation.Reading.Place {
    /// Clamps the fraction to 0..<1; NaN becomes 0.
    fileprivate init(fraction: Double) { self = .fraction(fraction > 0 ? min(fraction, 1.0.nextDown) : 0) }
}

/// The motion of a shown value towards the actual one.
///
/// The distance decays as exp(-t / 83.3 ms): 95% of the way in 250 ms. Since exp(-(a + b)) = exp(-a) exp(-b), the result
/// depends on the time alone and not on how many frames it was cut into.
enum AnimationEasing {
    /// The shown value `elapsed` after it was `shown`.
    ///
    /// - Parameter elapsed: from 1 s on, e.g. after a suspend, the result is `target`; if zero or negative (the clock
    ///   stood still or ran backwards), it is `shown`.
    static func step(from shown: Double, to target: Double, elapsed: Duration) -> Double {
        guard elapsed > .zero else { return shown }
        guard elapsed < longestWay else { return target }
        return target + (shown - target) * decay(elapsed.seconds / timeConstant)
    }

    /// The first frame after `now` that `differs`; after `longestWay` the motion has ended.
    ///
    /// - Parameter isShort: less than two cells are left to fill.
    static func firstChange(
        after now: Moment, frame: Duration, isShort: Bool, differs: (Moment) -> Bool
    ) -> Moment {
        let span = isShort ? max(frame, shortStep) : frame
        var time = now + span
        while time < now + longestWay, !differs(time) { time = time + span }
        return time
    }

    /// 100 ms: updates come ten times a second, and over less than two cells more frames than updates are not seen.
    private static let shortStep = Duration.milliseconds(100)

    /// e^-x for x >= 0, within 1e-15; 0 from 700 on.
    ///
    /// With x = n ln 2 + r and |r| <= ln 2 / 2: e^-x = 2^-n e^-r, the latter by its series. The standard library has no
    /// exponential without a C library.
    static func decay(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < 700 else { return 0 }
        let halvings = (x / ln2).rounded()
        let rest = x - halvings * ln2
        var (sum, term) = (1.0, 1.0)
        for n in 1...16 {
            term *= -rest / Double(n)
            sum += term
        }
        return Double(sign: .plus, exponent: -Int(halvings), significand: sum)
    }

    /// 250 ms / 3: after three of them 5% of the way is left.
    static let timeConstant = 0.25 / 3
    /// 12 time constants: 6 millionths of the distance are left. The motion ends here, since otherwise the last
    /// eighth of a cell might never be filled.
    private static let longestWay = Duration.seconds(1)
    private static let ln2 = 0.693_147_180_559_945_3
}
