package import WinchModel
package import WinchProgress

/// One transfer as the queue knows it.
package struct TransferState: Sendable {
    /// Where it stands. `finished`, `failed` and `cancelled` are settled.
    package enum Phase: Hashable, Sendable {
        case waiting
        /// It has open connections, and takes a slot.
        case active
        /// The body is complete; checksum, fsync and rename are at work. The cancel has been asked for or not.
        case verifying(isCancelling: Bool)
        case paused
        // Indirect: each row has the space for its largest phase.
        indirect case backoff(until: Moment, failure: TransferFailure)
        indirect case finished(TransferPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
    }

    /// A size asked for ahead of time.
    enum Sizing: Hashable, Sendable {
        case none, asked, answered
        /// The host is not asked: a link there may be valid for one request.
        case skipped
    }

    // Ordered without gaps between the fields: of a hundred thousand transfers most wait.
    package internal(set) var size: SizeKnowledge
    var sizing = Sizing.none
    /// While waiting: there is no space on the disk.
    var awaitsSpace = false
    /// It lists a folder: as `spec` says, here for speed.
    private(set) var isListing: Bool
    private let number: UInt32
    package internal(set) var phase: Phase
    package internal(set) var spec: TransferSpec
    package internal(set) var name: String
    @HeapDefault private var start = Start()
    /// What one that only waits has none of.
    @HeapDefault private var work = Work()
    var record = Record()
    private var host: Shared<String>

    /// What one that was never started and has nothing on disk has none of.
    private struct Start: Emptiable {
        var have = ByteCount.zero
        var epoch: Int32 = 0
        var attempts: Int32 = 0
        /// Connections opened in this run; their numbers are not used again.
        var opened: Int32 = 0

        static let emptyBox = HeapBox(Self())

        var isEmpty: Bool { have == .zero && epoch == 0 && attempts == 0 && opened == 0 }
    }

    init(id: TransferID, spec: TransferSpec, resume: ResumePoint?, estimate: ByteCount, isPaused: Bool) {
        number = UInt32(clamping: id.number)
        self.spec = spec
        isListing = spec.isListing
        if isListing { sizing = .skipped }
        phase = isPaused ? .paused : .waiting
        size =
            (resume?.total ?? spec.listedSize).map(SizeKnowledge.probed) ?? spec.listedVersion?.size?.knowledge
            ?? .unknown(estimate: estimate)
        name = resume?.targetPath ?? spec.expectedName
        host = Shared(spec.urls[0].hostAndPort)
        if resume != nil { self.resume = resume }
        setHave(resume?.have ?? .zero)
    }

    /// Stands where a removed transfer was: numbers are never used twice.
    init(removed id: TransferID) {
        number = UInt32(clamping: id.number)
        isListing = false
        (spec, phase, size) = (TransferSpec(urls: []), .cancelled, .unknown(estimate: .zero))
        (name, host) = ("", Shared(""))
    }

    /// Its spec is another one now.
    mutating func beginAsListing() {
        isListing = spec.isListing
        (sizing, size, name) = (.skipped, .unknown(estimate: .zero), spec.expectedName)
        (have, resume, warning) = (.zero, nil, nil)
    }

    package var id: TransferID { TransferID(Int(number)) }

    /// Bytes on disk, or of an upload at the server: those from before this attempt and those of this attempt.
    package internal(set) var have: ByteCount {
        get { start.have }
        set { if newValue != start.have { start.have = newValue } }
    }
    /// Counts cancels.
    var epoch: Int32 { start.epoch }
    /// Attempts in this run.
    var attempts: Int32 { start.attempts }

    /// Of the mirror in use.
    package var hostAndPort: String {
        get { host.value }
        set { host = Shared(newValue) }
    }

    /// Takes the texts that it has in common with other transfers from them.
    mutating func share(_ common: inout CommonParts) {
        common.specs.share(with: &spec)
        if common.hosts.count >= ConnectionLimitsByHost.mostQuiet { common.hosts = [] }
        host = common.hosts.insert(host).memberAfterInsert
    }

    /// One copy of what many transfers have in common.
    struct CommonParts: Sendable {
        fileprivate var specs = TransferSpec.CommonParts()
        fileprivate var hosts: Set<Shared<String>> = []
    }

    // Read in the box: through `work` each field would cost a copy of all.
    package internal(set) var rebase: Rebase? {
        @inline(__always) _read { yield _work.readBox.value.rebase }
        _modify { yield &work.rebase }
    }
    package internal(set) var warning: TransferWarning? {
        @inline(__always) _read { yield _work.readBox.value.warning }
        _modify { yield &work.warning }
    }
    /// What is on disk for another attempt.
    package internal(set) var resume: ResumePoint? {
        @inline(__always) _read { yield _work.readBox.value.resume }
        _modify { yield &work.resume }
    }
    /// Which of the mirrors is used.
    package internal(set) var mirror: Int {
        get { _work.readBox.value.mirror }
        set { if newValue != work.mirror { work.mirror = newValue } }
    }
    var estimator: RateEstimator? {
        @inline(__always) _read { yield _work.readBox.value.estimator }
        _modify { yield &work.estimator }
    }
    package internal(set) var history: AttemptHistory {
        @inline(__always) _read { yield _work.readBox.value.history }
        _modify { yield &work.history }
    }
    /// `nil`: it is too small to be split, or none of it has come yet.
    var splitting: Splitting? {
        @inline(__always) _read { yield _work.readBox.value.splitting }
        _modify { yield &work.splitting }
    }
    /// None while it waits.
    package internal(set) var connections: Connections {
        @inline(__always) _read { yield _work.readBox.value.connections }
        _modify { yield &work.connections }
    }

    /// What a folder's listing or a Metalink has named; `nil`: nothing yet, or it is finished.
    var listing: ListingProgress? {
        @inline(__always) _read { yield _work.readBox.value.listing }
        _modify { yield &work.listing }
    }

    // Inlined, as others are, or the array would copy the whole transfer out for it.
    @inline(__always) var isRemoved: Bool { hostAndPort.isEmpty }
    var hasMirrors: Bool { spec.urls.count > 1 }

    /// A connection that was told to close and has not answered yet.
    package var closing: Connection? { connections.closing }
    /// Its connections, counted; none while it waits.
    @inline(__always) var counts: (open: Int, moving: Int) { connections.counts }

    @inline(__always) package var settings: TransferSettings { spec.settings.value }
    package var url: TransferURL { spec.urls[mirror] }

    package var isSettled: Bool { settledClass != nil }

    /// It may still write to the file that it replaces at its server: one that is cancelled does until its connection has
    /// closed.
    @inline(__always) var claimsReplacedFile: Bool { !isSettled || connections.areClosing }

    @inline(__always) var settledClass: SettledClass? {
        switch phase {
        case .finished: .ok
        case .failed: .failed
        case .cancelled: .cancelled
        case .waiting, .active, .verifying, .paused, .backoff: nil
        }
    }

    /// A connection is open or being opened: it holds one of the queue's slots.
    @inline(__always) package var holdsSlot: Bool { if case .active = phase { true } else { false } }

    @inline(__always) var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    @inline(__always) var isVerifying: Bool { if case .verifying = phase { true } else { false } }

    /// How far its open connections are; `nil`: it has none.
    package var stage: Connection.Phase? { connections.stage }

    @inline(__always) var isMoving: Bool { connections.areMoving }

    /// In the line: it starts when its turn comes, or, where a connection is still closing, keeps a slot until it can.
    @inline(__always) var isReady: Bool { isWaiting && !awaitsSpace && connections.turn == .ahead && !isFailing }

    /// Its turn has come, and it starts when its connections have closed.
    @inline(__always) var keepsSlot: Bool { isWaiting && connections.turn == .kept }

    /// After a change: what holds only of a transfer that waits for a slot ends with that.
    @inline(__always) mutating func endWaiting() {
        if !isWaiting { awaitsSpace = false }
        if connections.turn != .ahead, !isWaiting || isFailing { connections.turn = .ahead }
    }

    /// As `isReady`, in the line of the listings or of the others.
    @inline(__always) func isReady(isListing: Bool) -> Bool { isReady && self.isListing == isListing }

    /// Bytes still to be written, as far as the size is known.
    @inline(__always) var needs: Int64 {
        guard spec.direction == .down else { return 0 }
        return max(0, (size.known ?? have).bytes - have.bytes)
    }

    /// The space for them is reserved: it is no longer free.
    @inline(__always) var hasReservedSpace: Bool { isMoving && resume?.isReserved ?? false }

    /// The limit that the transport was last told, for all its connections together.
    package var appliedLimit: ByteRate? { connections.limit }

    /// The last connection that was opened; number 0: there was none.
    @inline(__always) package var lastConnection: ConnectionID {
        ConnectionID(transfer: id, epoch: Int(start.epoch), number: Int(start.opened))
    }

    /// An attempt begins, with one connection to the mirror in use.
    mutating func beginAttempt(limit: ByteRate?, at now: Moment) {
        start.attempts += 1
        start.opened += 1
        phase = .active
        if listing != nil { listing = nil }
        connections.add(
            Connection(lastConnection, spec.direction, source: mirror, host: hostAndPort, limit: limit, at: now))
    }

    /// Changes how its file is spread over its connections; `nil`: it is not split, and nothing is written.
    mutating func split<Result>(_ body: (inout Splitting) -> Result) -> Result? {
        guard self.splitting != nil, var splitting = splitting.take() else { return nil }
        defer { self.splitting = splitting }
        return body(&splitting)
    }

    /// A further connection of the attempt begins.
    mutating func addConnection(source: Int, host: String, limit: ByteRate?, at now: Moment) {
        start.opened += 1
        connections.add(
            Connection(
                lastConnection, spec.direction, source: source, host: host, asksForPart: true, limit: limit, at: now))
    }

    /// It has failed, and its connections are open no more. Those that are closing still tell what they leave on disk: until
    /// then it is not settled.
    mutating func fail(_ failure: TransferFailure, at now: Moment) {
        stopClock(at: now)
        awaitsSpace = false
        if connections.areClosing {
            phase = .waiting
            connections.changeClosing { $0.failure = $0.failure ?? failure }
        } else {
            phase = .failed(failure)
        }
    }

    /// It is settled as failed when its connections have answered.
    @inline(__always) var isFailing: Bool { connections.areClosing && closing?.closing?.failure != nil }

    /// It is no longer settled as failed when its connections have answered.
    mutating func forgetFailure() { connections.changeClosing { $0.failure = nil } }

    /// It starts again when its connections have answered, with as many tries as at first.
    mutating func retryWhenClosed() {
        forgetFailure()
        history.resetForRetry()
    }

    /// It has a login of its own that has no user name, such as a token in a header.
    var hasNamelessLogin: Bool {
        let settings = spec.settings.value
        return spec.urls.contains { settings.hasLogin(at: $0) && settings.userName(at: $0) == nil }
    }

    /// What closes its connections.
    func closings(discarding: Bool) -> [QueueAction] { connections.live.map { .close($0, discarding: discarding) } }

    /// Reports about its connections so far are late from now on.
    mutating func beginEpoch() { start.epoch += 1 }

    /// A waiting download whose size has not been asked for, with no connection that may still tell it.
    @inline(__always) var wantsSizing: Bool {
        isWaiting && sizing == .none && size.known == nil && spec.direction == .down && !connections.areClosing
    }

    /// Its size was asked for at this host, which has not begun to send the file since.
    func isOnTrial(at host: String) -> Bool {
        guard hostAndPort == host, sizing == .asked || sizing == .answered else { return false }
        return switch phase {
        case .waiting, .backoff: true
        case .active: !isMoving
        case .verifying, .paused, .finished, .failed, .cancelled: false
        }
    }

    /// What this transfer adds to the queue's sums of its direction; to those of the other it adds nothing.
    @inline(__always) package var progress: QueueProgress.Entry {
        if isListing {
            return QueueProgress.Entry(contribution: Contribution(completed: 0, total: 0), settled: settledClass)
        }
        switch phase {
        case .finished, .failed, .cancelled:
            return QueueProgress.Entry(
                contribution: Contribution(completed: have.bytes, total: have.bytes), settled: settledClass,
                extent: size.guess.bytes)
        case .waiting, .active, .verifying, .paused, .backoff:
            guard !isUnstarted else { return .unstarted }
            return QueueProgress.Entry(contribution: Contribution(have: have, size: size), settled: nil)
        }
    }

    /// Nothing is known of its size and nothing was learned by trying: it counts with what the sizes of others say, as
    /// long as that is so.
    @inline(__always) var isUnstarted: Bool {
        attempts == 0 && have == .zero && size.known == nil && spec.listedVersion?.size == nil
    }

    /// Time of the transfer so far, pauses left out.
    func timeUsed(at now: Moment) -> Duration { history.timeSpent + (history.clockStarted.map { now - $0 } ?? .zero) }

    /// As `timeUsed`, in all runs, and not begun anew when the user tries it again.
    func timeWorked(at now: Moment) -> Duration { record.worked + history.spentBefore + timeUsed(at: now) }

    mutating func startClock(at now: Moment) { if history.clockStarted == nil { history.clockStarted = now } }

    mutating func forgetTries() {
        if history.tries > 0 || history.lastFailure != nil { (history.tries, history.lastFailure) = (0, nil) }
    }

    mutating func stopClock(at now: Moment) {
        guard history.clockStarted != nil else { return }
        history.timeSpent = timeUsed(at: now)
        history.clockStarted = nil
    }
}

extension TransferState {
    /// What attempts at a transfer, an earlier run or the user leave with it.
    struct Work: Emptiable, Sendable {
        @HeapDefault var rebase: Rebase? = nil
        @HeapDefault var warning: TransferWarning? = nil
        @HeapDefault var resume: ResumePoint? = nil
        var mirror = 0
        @HeapDefault var estimator: RateEstimator? = nil
        @HeapDefault var history = AttemptHistory()
        @HeapDefault var connections = Connections()
        @HeapDefault var splitting: Splitting? = nil
        @HeapDefault var listing: ListingProgress? = nil

        static let emptyBox = HeapBox(Self())

        var isEmpty: Bool {
            _rebase.isNil && _warning.isNil && _resume.isNil && mirror == 0 && _estimator.isNil && _history.isNil
                && _connections.isNil && _splitting.isNil && _listing.isNil
        }
    }
}

extension Rebase: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension TransferWarning: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension ResumePoint: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension RateEstimator: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension ListedSize {
    /// A rounded size is a guess.
    fileprivate var knowledge: SizeKnowledge {
        let size = ByteCount(bytes: max(0, bytes))
        return isExact ? .probed(size) : .unknown(estimate: size)
    }
}

extension ListingProgress: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension Splitting: RarelyPresent { static let noneBox = HeapBox(Self?.none) }

extension TransferState {
    /// The last attempt failed and the next waits for nothing but a slot.
    var retry: TransferSnapshot.Retry? {
        guard isReady, !connections.areClosing, let failure = history.lastFailure else { return nil }
        return TransferSnapshot.Retry(failure: failure, attempt: nextTry, limit: settings.maxTries)
    }

    /// The number of the next attempt as `--max-tries` counts: since bytes last came, without those that were no failures.
    var nextTry: Int { history.tries + 1 }
}
