import WinchModel

/// Decides when the next frame is due: none while nothing changes, a limited number per second while much changes,
/// and at once after a key.
struct FramePacer {
    private let usual: Duration
    /// The window has lost the keyboard focus, so that fewer frames are enough.
    var isUnwatched = false
    private var last: Moment?
    /// When the last frame was drawn for a key.
    private var lastUrgent: Moment?
    private var isWanted = true
    private var isUrgent = false
    /// When the screen will change by itself.
    private var animation: Moment?

    /// 10 ms: a held key repeats only 30 times a second, so frames for keys need not follow each other faster. The frames of
    /// running transfers do not count: they would delay every fifth key by up to 10 ms.
    static let keySpan = Duration.milliseconds(10)

    init(framesPerSecond: Int) {
        usual = .seconds(1) / max(1, min(framesPerSecond, 100))
    }

    /// Least time between two frames that were not caused by a key.
    var span: Duration { isUnwatched ? max(usual, Self.unwatchedSpan) : usual }

    /// Two frames a second keep a window without focus up to date, since it may still be visible.
    private static let unwatchedSpan = Duration.milliseconds(500)

    /// Something has changed; the next frame may wait for `span`.
    mutating func requestFrame() { isWanted = true }

    /// The user waits for the effect of a key: the next frame is due at once.
    mutating func requestUrgentFrame() { isUrgent = true }

    /// - Parameter next: when the screen will change by itself, `nil` if it does not.
    mutating func frameWasDrawn(at now: Moment, next: Moment?) {
        last = now
        if isUrgent { lastUrgent = now }
        isWanted = false
        isUrgent = false
        animation = next
    }

    /// When the next frame is due; `nil`: not before an event.
    var due: Moment? {
        guard let last else { return isWanted || isUrgent ? Moment(nanoseconds: .min) : nil }
        if isUrgent { return lastUrgent.map { $0 + Self.keySpan } ?? last }
        if isWanted { return last + span }
        return animation.map { max($0, last + span) }
    }

    func isDue(at now: Moment) -> Bool {
        due.map { $0 <= now } ?? false
    }
}
