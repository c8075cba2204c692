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

    let afterEarlyAnswer: FaultOptions.AfterEarlyAnswer
    private let options: FaultOptions
    private let pace: FaultOptions.Pace
    private let answerPoint: FaultOptions.AnswerPoint
    private let interim: [Int]
    /// Content-Length; `nil` for a chunked body.
    private let length: Int64?
    /// Distance in bytes between answers 104.
    private let progressEvery: Int64?
    private(set) var read: Int64 = 0
    private var phase = Phase.reading
    private var isAnswered = false
    private var hasStalled = false
    /// Bytes since the last call of `nextReading`.
    private var fresh: Int64 = 0

    /// - Parameters:
    ///   - visit: `nil` for a request that is refused before it counts, which has no faults of its body.
    ///   - isRefused: the body is not wanted.
    init(_ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit?, isRefused: Bool) {
        self.options = options
        length = request.declaredLength
        let point = options.answerPoint ?? (isRefused ? .after(0) : .end)
        answerPoint = point
        // A client that was refused instead of getting its 100 does not send the body: what follows on the connection could
        // not be told from one.
        let isUnasked = request.expectsContinue && point == .after(0)
        afterEarlyAnswer = options.afterEarlyAnswer ?? (isUnasked ? .close : .drain)
        let isAsked = request.expectsContinue && options.sendsContinue && !isUnasked
        interim = options.interim + (isAsked ? [100] : [])
        pace = visit.map { options.pace(on: $0) } ?? FaultOptions.Pace(rate: options.pace.rate)
        progressEvery = visit == nil ? nil : options.progressEvery
    }

    /// The head has arrived.
    mutating func began() -> [Action] {
        interim.map(Action.interim) + checkPoints(from: 0)
    }

    /// - Returns: bytes that are kept, fewer than `count` when the connection breaks off among them.
    mutating func received(_ count: Int64) -> (kept: Int64, actions: [Action]) {
        guard phase == .reading, count > 0 else { return (0, []) }
        let before = read
        read += count
        fresh += count
        let actions = checkPoints(from: before)
        let end = phase == .stopped ? pace.drop ?? read : read
        return (min(end, read) - before, actions)
    }

    mutating func ended() -> [Action] {
        guard phase == .reading else { return [] }
        phase = .ended
        guard !isAnswered, answerPoint != .never else { return [] }
        isAnswered = true
        return [.answer(isEarly: false)]
    }

    private mutating func checkPoints(from before: Int64) -> [Action] {
        if let drop = pace.drop, read >= drop, length.map({ drop < $0 }) ?? true {
            phase = .stopped
            return [.breakOff(reset: options.resets)]
        }
        var actions: [Action] = []
        if let every = progressEvery, read / every > before / every { actions.append(.progress(read)) }
        if case .after(let point) = answerPoint, !isAnswered, read >= point, length.map({ read < $0 }) ?? true {
            isAnswered = true
            if afterEarlyAnswer == .cut { phase = .stopped }
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
        if let stall = pace.stallAt, !hasStalled {
            if read >= stall {
                guard let pause = options.stallFor else { return .never }
                hasStalled = true
                delay = pause
            } else {
                limits.append(stall - read)
            }
        }
        if let drop = pace.drop, drop > read { limits.append(drop - read) }
        if case .after(let point) = answerPoint, point > read { limits.append(point - read) }
        if let every = progressEvery { limits.append(every - read % every) }
        if let rate = pace.rate {
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
