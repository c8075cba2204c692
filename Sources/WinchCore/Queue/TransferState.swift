/// One transfer as the queue knows it.
public struct TransferState: Sendable {
    /// Where it stands. `finished`, `failed` and `cancelled` are settled.
    public enum Phase: Hashable, Sendable {
        case waiting
        case connecting
        case requested
        case moving
        /// The body is complete; checksum, fsync and rename are at work. The cancel has been asked for or not.
        case verifying(isCancelling: Bool)
        case paused
        case backoff(until: Moment, failure: TransferFailure)
        case finished(RowPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
    }

    /// A size asked for ahead of time.
    enum Sizing: Hashable, Sendable {
        case none, asked, answered
    }

    public let id: TransferID
    public let spec: TransferSpec
    public internal(set) var phase: Phase
    public internal(set) var stamp = Stamp()
    /// Bytes on disk: those from before this attempt and those of this attempt.
    public internal(set) var have: ByteCount
    public internal(set) var size: SizeKnowledge
    public internal(set) var name: String
    public internal(set) var rebase: Rebase?
    /// What is on disk for another attempt.
    public internal(set) var resume: ResumePoint?
    /// Which of the mirrors is used.
    public internal(set) var mirror = 0
    /// Mirrors that failed for good, as a set of bits; the 65th and later are never set aside.
    var deadMirrors: UInt64 = 0
    /// Place in the queue.
    var rank: Int
    /// Attempts since bytes last came.
    var tries = 0
    /// Bytes on disk when the attempt began: an attempt that went beyond made progress.
    var haveAtStart = ByteCount.zero
    var sizing = Sizing.none
    var estimator: RateEstimator?
    /// Time used by attempts and waits before `clockStarted`, for `--max-time`.
    var timeSpent = Duration.zero
    var clockStarted: Moment?
    /// The limit that the transport was last told.
    var appliedLimit: ByteRate?

    init(id: TransferID, spec: TransferSpec, resume: ResumePoint?, estimate: ByteCount, rank: Int, isPaused: Bool) {
        self.id = id
        self.spec = spec
        self.resume = resume
        self.rank = rank
        phase = isPaused ? .paused : .waiting
        have = resume?.have ?? .zero
        size = resume?.total.map(SizeKnowledge.probed) ?? .unknown(estimate: max(estimate, resume?.have ?? .zero))
        name = resume?.targetPath ?? spec.expectedName
    }

    public var settings: TransferSettings { spec.settings.value }
    public var url: TransferURL { spec.urls[mirror] }
    public var hostKey: String { url.hostKey }

    public var isSettled: Bool { settledClass != nil }

    var settledClass: SettledClass? {
        switch phase {
        case .finished: .ok
        case .failed: .failed
        case .cancelled: .cancelled
        case .waiting, .connecting, .requested, .moving, .verifying, .paused, .backoff: nil
        }
    }

    /// A connection is open or being opened: it holds one of the queue's slots.
    var holdsSlot: Bool {
        switch phase {
        case .connecting, .requested, .moving: true
        case .waiting, .verifying, .paused, .backoff, .finished, .failed, .cancelled: false
        }
    }

    var isVerifying: Bool {
        if case .verifying = phase { true } else { false }
    }

    /// A waiting download whose size nobody has asked for.
    var wantsSizing: Bool {
        phase == .waiting && sizing == .none && size.known == nil && spec.direction == .down
    }

    /// What this transfer adds to the queue's sums.
    public var progress: QueueProgress.Entry {
        switch phase {
        case .finished, .failed, .cancelled:
            QueueProgress.Entry(
                contribution: Contribution(completed: have.bytes, total: have.bytes), settled: settledClass)
        case .waiting, .connecting, .requested, .moving, .verifying, .paused, .backoff:
            QueueProgress.Entry(contribution: Contribution(have: have, size: size), settled: nil)
        }
    }

    /// Time of the transfer so far, pauses left out.
    func timeUsed(at now: Moment) -> Duration {
        timeSpent + (clockStarted.map { now - $0 } ?? .zero)
    }

    mutating func startClock(at now: Moment) {
        if clockStarted == nil { clockStarted = now }
    }

    mutating func stopClock(at now: Moment) {
        timeSpent = timeUsed(at: now)
        clockStarted = nil
    }
}

extension TransferState {
    /// Takes `have` as told by the transport; a guess that is outgrown is doubled.
    mutating func setHave(_ new: ByteCount) {
        have = new
        if case .unknown(let estimate) = size, new > estimate {
            size = .unknown(estimate: ByteCount(bytes: min(new.bytes, .max / 2) * 2))
        }
    }

    /// Chooses the next mirror that did not fail for good.
    ///
    /// - Returns: `false` when there is no other.
    mutating func turnToNextMirror() -> Bool {
        for step in 1..<max(spec.urls.count, 1) {
            let candidate = (mirror + step) % spec.urls.count
            if candidate >= 64 || deadMirrors & (1 << UInt64(candidate)) == 0 {
                mirror = candidate
                return true
            }
        }
        return false
    }

    mutating func setMirrorAside() {
        if mirror < 64 { deadMirrors |= 1 << UInt64(mirror) }
    }

    func startRequest(rateLimit: ByteRate?) -> StartRequest {
        StartRequest(
            id: id, stamp: stamp, url: url, folder: spec.folder, name: spec.name, settings: spec.settings,
            resume: resume, rateLimit: rateLimit)
    }

    /// What a face is shown.
    func row(at now: Moment, wait: RowPhase.Wait) -> RowState {
        let isMoving = phase == .moving
        let left = size.known.map { $0 - have }
        return RowState(
            id: id, direction: spec.direction, name: name, host: hostKey, phase: rowPhase(wait: wait), have: have,
            size: size,
            rate: isMoving ? estimator?.rate(at: now) : nil,
            stalledSince: isMoving ? estimator?.stalledSince(at: now) : nil,
            finish: isMoving ? left.flatMap { estimator?.finish(of: $0, at: now) } : nil,
            rebase: rebase)
    }

    private func rowPhase(wait: RowPhase.Wait) -> RowPhase {
        switch phase {
        case .waiting: .waiting(wait)
        case .connecting: .connecting
        case .requested: .requested
        case .moving: .moving
        case .verifying: .verifying
        case .paused: .paused
        case .backoff(let until, let failure):
            .backoff(until: until, attempt: tries + 1, limit: settings.maxTries, failure: failure)
        case .finished(let outcome): .finished(outcome)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}
