/// How the body of one request is read and when the request is answered, decided when its head has arrived.
struct UploadBodyPlan: Equatable, Sendable {
    /// Content-Length; `nil` for a chunked body.
    var length: Int64?
    /// Statuses of heads that are sent before the body is read.
    var interim: [Int] = []
    var interimDelay: Duration = .zero
    var answerPoint = AnswerPoint.end
    var afterEarlyAnswer = AfterEarlyAnswer.drain
    /// The connection ends once this much of the body has been read.
    var drop: Int64?
    /// That end is a RST.
    var resets = false
    /// Reading stops here.
    var stallAt: Int64?
    /// How long it stops; `nil` is for ever.
    var stallFor: Duration?
    /// Bytes per second.
    var rate: Int64?
    /// Distance in bytes between answers 104 that tell what has been read.
    var progressEvery: Int64?
    /// Bytes that the kernel may hold for the connection while the program does not read.
    var window: Int64?

    enum AnswerPoint: Equatable, Sendable {
        /// After this many bytes of the body, or at its end if that comes first.
        case after(Int64)
        case end, never
    }

    /// What follows on an answer that was sent before the body was read.
    enum AfterEarlyAnswer: Equatable, Sendable {
        /// The rest is read and the connection kept.
        case drain
        /// The answer says `Connection: close`; its direction is closed, and what still arrives is dropped for 2 s.
        case close
        /// The connection is closed at once. The client may lose the answer to the RST that unread bytes cause.
        case cut
    }
}

/// What to do while a body arrives: pure, driven by `UploadBodyReader`.
struct UploadBodyMachine: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case interim(Int)
        /// An answer 104 with what has been read.
        case progress(Int64)
        case answer(isEarly: Bool)
        case breakOff(reset: Bool)
    }

    /// When and how much the socket is read next.
    enum Reading: Equatable, Sendable {
        case freely
        case atMost(Int, after: Duration)
        case never
    }

    private enum Phase { case reading, stopped, ended }

    let plan: UploadBodyPlan
    private(set) var read: Int64 = 0
    private var phase = Phase.reading
    private var isAnswered = false
    private var hasStalled = false
    /// Bytes since the last call of `nextReading`.
    private var fresh: Int64 = 0

    init(_ plan: UploadBodyPlan) { self.plan = plan }

    /// The head has arrived.
    mutating func began() -> [Action] {
        plan.interim.map(Action.interim) + checkPoints(from: 0)
    }

    /// - Returns: bytes that are kept, fewer than `count` when the connection breaks off among them.
    mutating func received(_ count: Int64) -> (kept: Int64, actions: [Action]) {
        guard phase == .reading, count > 0 else { return (0, []) }
        let before = read
        read += count
        fresh += count
        let actions = checkPoints(from: before)
        let end = phase == .stopped ? plan.drop ?? read : read
        return (min(end, read) - before, actions)
    }

    mutating func ended() -> [Action] {
        guard phase == .reading else { return [] }
        phase = .ended
        guard !isAnswered, plan.answerPoint != .never else { return [] }
        isAnswered = true
        return [.answer(isEarly: false)]
    }

    private mutating func checkPoints(from before: Int64) -> [Action] {
        if let drop = plan.drop, read >= drop, plan.length.map({ drop < $0 }) ?? true {
            phase = .stopped
            return [.breakOff(reset: plan.resets)]
        }
        var actions: [Action] = []
        if let every = plan.progressEvery, read / every > before / every { actions.append(.progress(read)) }
        if case .after(let point) = plan.answerPoint, !isAnswered, read >= point, plan.length.map({ read < $0 }) ?? true
        {
            isAnswered = true
            if plan.afterEarlyAnswer == .cut { phase = .stopped }
            actions.append(.answer(isEarly: true))
        }
        return actions
    }

    mutating func nextReading() -> Reading {
        let arrived = fresh
        fresh = 0
        switch phase {
        case .ended: return .freely
        case .stopped: return .never
        case .reading: break
        }
        var delay = Duration.zero
        var limits: [Int64] = []
        if let stall = plan.stallAt, !hasStalled {
            if read >= stall {
                guard let pause = plan.stallFor else { return .never }
                hasStalled = true
                delay = pause
            } else {
                limits.append(stall - read)
            }
        }
        if let drop = plan.drop, drop > read { limits.append(drop - read) }
        if case .after(let point) = plan.answerPoint, point > read { limits.append(point - read) }
        if let every = plan.progressEvery { limits.append(every - read % every) }
        if let rate = plan.rate {
            // A twentieth of a second's worth at a time.
            limits.append(max(1, rate / 20))
            delay += .nanoseconds(Int64(Double(arrived) / Double(rate) * 1e9))
        }
        guard let limit = limits.min() else { return delay == .zero ? .freely : .atMost(Self.most, after: delay) }
        return .atMost(Int(min(limit, Int64(Self.most))), after: delay)
    }

    /// 64 KiB: what the server reads at a time when nothing limits it.
    static let most = 64 << 10
}
