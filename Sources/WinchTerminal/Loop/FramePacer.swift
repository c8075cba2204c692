import WinchModel

/// Decides when the next frame is due: none while nothing changes, a limited number per second while much changes,
/// and at once after a key and for the update that answers it.
struct FramePacer {
    private let usual: Duration
    /// The window has lost the keyboard focus, so that fewer frames are enough.
    var isUnwatched = false
    private var last: Moment?
    /// When the last frame was drawn for a key.
    private var lastUrgent: Moment?
    /// When the last frame was drawn that had the updates until then.
    private var lastUpdate: Moment?
    private var isWanted = true
    /// The frame that is wanted is to be drawn even if no update has changed anything.
    private var isRequested = true
    private var isUrgent = false
    private var isAnswer = false
    /// So many updates are drawn at once, because one of them is the answer to a command.
    private var answersLeft = 0
    private var answerDue: Moment?
    /// The frame of a key that sent a command waits until then for the answer, so that one frame shows both.
    private var graceEnd: Moment?
    /// When the screen will change by itself.
    private var animation: Moment?

    /// 10 ms: a held key repeats only 30 times a second, so frames for keys need not follow each other faster. The frames of
    /// running transfers do not count: they would delay every fifth key by up to 10 ms.
    static let keySpan = Duration.milliseconds(10)

    /// 3: updates of running transfers may come before the answer.
    private static let mostAnswers = 3
    /// 1 s: an answer that takes longer is not what the user waits for.
    private static let answerSpan = Duration.seconds(1)
    /// 3 ms: a queue in this process answers within one. A frame before the answer would have to be drawn and taken by the
    /// terminal first, which takes longer than this wait.
    static let grace = Duration.milliseconds(3)

    init(framesPerSecond: Int) {
        usual = .seconds(1) / max(1, min(framesPerSecond, 100))
    }

    /// Least time between two frames that were not caused by a key.
    var span: Duration { isUnwatched ? max(usual, Self.unwatchedSpan) : usual }

    /// Two frames a second keep a window without focus up to date, since it may still be visible.
    private static let unwatchedSpan = Duration.milliseconds(500)

    /// Something has changed; the next frame may wait for `span`.
    mutating func requestFrame() { (isWanted, isRequested) = (true, true) }

    /// The user waits for the effect of a key: the next frame is due at once.
    mutating func requestUrgentFrame() { isUrgent = true }

    /// A command was sent: its effect comes with one of the next updates.
    mutating func expectAnswer(at now: Moment) {
        (answersLeft, answerDue) = (Self.mostAnswers, now + Self.answerSpan)
        graceEnd = now + Self.grace
    }

    mutating func requestUpdateFrame(at now: Moment) {
        isWanted = true
        guard awaitsAnswer(at: now) else { return }
        answersLeft -= 1
        isAnswer = true
        graceEnd = nil
    }

    /// The frame that is due now is drawn without the updates that wait: to apply them may take longer than the user should wait
    /// for the effect of a key. They come with the next frame. False when they have waited for `span`, so that held keys do not
    /// keep them back, and while the answer to a command is among them or follows them.
    func drawsWithoutUpdates(at now: Moment) -> Bool {
        guard isUrgent, !isAnswer, !awaitsAnswer(at: now), let lastUpdate else { return false }
        return now < lastUpdate + span
    }

    private func awaitsAnswer(at now: Moment) -> Bool { answersLeft > 0 && answerDue.map { now < $0 } ?? false }

    /// The frame that is due now is for updates alone: it need not be drawn if they change nothing on the screen.
    func isForUpdatesOnly(at now: Moment) -> Bool {
        guard last != nil, !isRequested, !isUrgent, !isAnswer else { return false }
        return animation.map { now < $0 } ?? true
    }

    /// The updates so far change nothing on the screen.
    ///
    /// - Parameter next: as for `frameWasDrawn`.
    mutating func frameWasSkipped(at now: Moment, next: Moment?) {
        lastUpdate = now
        isWanted = false
        // `next` is a change of the bars as they would be drawn now; those on the screen may change earlier.
        animation = [animation, next].compactMap(\.self).min()
    }

    /// - Parameters:
    ///   - next: when the screen will change by itself, `nil` if it does not.
    ///   - leavesUpdates: updates still wait.
    mutating func frameWasDrawn(at now: Moment, next: Moment?, leavesUpdates: Bool = false) {
        last = now
        if isUrgent { lastUrgent = now }
        if !leavesUpdates { lastUpdate = now }
        isWanted = leavesUpdates
        isRequested = false
        isUrgent = false
        isAnswer = false
        graceEnd = nil
        animation = next
    }

    /// When the next frame is due; `nil`: not before an event.
    var due: Moment? {
        guard let last else { return isWanted || isUrgent ? Moment(nanoseconds: .min) : nil }
        if isAnswer { return last }
        if isUrgent {
            let soonest = lastUrgent.map { $0 + Self.keySpan } ?? last
            return graceEnd.map { max($0, soonest) } ?? soonest
        }
        if isWanted { return (lastUpdate ?? last) + span }
        return animation.map { max($0, last + span) }
    }

    func isDue(at now: Moment) -> Bool {
        due.map { $0 <= now } ?? false
    }
}
