import WinchCore

/// Decides when the next frame is due: none while nothing changes, a bounded number while much does, at once for a key.
struct FramePacer {
    private let usual: Duration
    /// Nobody looks: the window has lost the keyboard.
    var isUnwatched = false
    private var last: Moment?
    private var isWanted = true
    private var isUrgent = false
    /// When the screen changes by itself.
    private var animation: Moment?

    /// A held key repeats 30 times a second; faster than this nobody types, and a terminal need not draw.
    static let keySpan = Duration.milliseconds(10)

    init(framesPerSecond: Int) {
        usual = .seconds(1) / max(1, min(framesPerSecond, 100))
    }

    /// Between two frames that no key asked for.
    var span: Duration { isUnwatched ? max(usual, Self.unwatchedSpan) : usual }

    /// Two a second keep what is seen from the corner of an eye true.
    private static let unwatchedSpan = Duration.milliseconds(500)

    /// Something changed that may wait for its turn.
    mutating func want() { isWanted = true }

    /// Somebody is waiting to see it.
    mutating func hurry() { isUrgent = true }

    /// - Parameter next: when the screen will change by itself, `nil` if it does not.
    mutating func drew(at now: Moment, next: Moment?) {
        last = now
        isWanted = false
        isUrgent = false
        animation = next
    }

    /// When to draw; `nil`: not before something happens.
    var due: Moment? {
        guard let last else { return isWanted || isUrgent ? Moment(nanoseconds: .min) : nil }
        if isUrgent { return last + Self.keySpan }
        if isWanted { return last + span }
        return animation.map { max($0, last + span) }
    }

    func isDue(at now: Moment) -> Bool {
        due.map { $0 <= now } ?? false
    }
}
