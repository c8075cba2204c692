/// The whole queue as a value: events in, single-step actions out; no clock, no input or output.
///
/// Events of an earlier attempt, for transfers that are gone, or that make no sense in the present phase are late, and
/// normal: they change nothing and are counted in `ignored`.
public struct TransferQueue: Sendable {
    public internal(set) var settings: QueueSettings
    /// Late and impossible events seen.
    public internal(set) var ignored = 0

    /// By number - 1; blank once removed.
    var rows: [TransferState] = []
    /// One copy of each host's name, for all that are fetched from it.
    var hostKeys: Set<String> = []
    /// In the order of starting.
    var order: [TransferID] = []
    var line = WaitingLine()
    /// The highest rank given so far.
    var lastRank = 0
    var slots = SlotHolders()
    var resting = RestingCounts()
    var hosts: HostGates
    var disks = DiskSpace()
    /// When failed transfers are due again.
    var retries = Heap<Alarm>()
    var sums = QueueSums()
    var probes = SizeProbes()
    var jitter: SplitMix64
    var state = RunState()
    /// While the connections must show that they have survived a sleep.
    var wakeWatch: WakeWatch?
    var meters = Meters()
    var feed = Feed()
    var book = DetailBook()
    /// What `restore` takes back, the last one last.
    var undos: [Undo] = []
    /// When the parts of cancelled transfers are removed.
    var keptParts = Heap<Alarm>()
    /// Parts that earlier runs cancelled and did not come to remove.
    var leftParts: [QueueAction] = []
    /// `nil`: nothing outlives this run.
    var ledger: LedgerBuffer?

    /// When something is due of a transfer, if its stamp is the same then.
    struct Alarm: Comparable, Sendable {
        var at: Moment
        var id: TransferID
        var stamp: Stamp

        static func < (left: Alarm, right: Alarm) -> Bool { left.at < right.at }
    }

    public init(settings: QueueSettings = QueueSettings()) {
        self.settings = settings
        self.settings.slots = Self.slots(settings.slots)
        self.settings.perHost = max(1, settings.perHost)
        self.settings.perNewHost = max(1, settings.perNewHost)
        self.settings.rateLimit = Self.limit(settings.rateLimit)
        jitter = SplitMix64(seed: settings.seed)
        hosts = HostGates(perHost: max(1, settings.perHost), perNewHost: max(1, settings.perNewHost))
    }

    public subscript(id: TransferID) -> TransferState? { index(of: id).map { rows[$0] } }

    /// In `rows`; `nil` for a number never given and for a transfer that was removed.
    func index(of id: TransferID) -> Int? {
        guard id.number >= 1, id.number <= rows.count, !rows[id.number - 1].isRemoved else { return nil }
        return id.number - 1
    }

    public var transfers: some Sequence<TransferState> { order.lazy.compactMap { self[$0] } }

    public var fraction: Fraction { fraction(of: .down) }

    func fraction(of direction: Direction) -> Fraction { sums.fraction(of: direction, in: settings.mode) }

    /// Of what comes in.
    public var progress: QueueProgress { sums[.down] }
    /// Of what goes out.
    public var uploads: QueueProgress { sums[.up] }

    /// Transfers that hold a connection.
    var active: Set<TransferID> { slots.holders }

    /// Transfers in both directions.
    var count: Int { sums.count }
    var settled: Int { sums.settled }
    var isEnding: Bool { state.isEnding }

    /// Takes what happened and returns what is to be done, in order.
    public mutating func apply(_ event: QueueEvent, at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        noticeGap(at: now)
        openGates(at: now)
        switch event {
        case .added(let additions):
            add(additions, at: now)
            swap(&actions, &leftParts)
        case .command(let command): actions = obey(command, at: now)
        case .report(let report): actions = take(report, at: now)
        case .space(let folder, let reading): actions = takeSpace(reading, in: folder, at: now)
        case .recalled(let id, let details): take(details, of: id)
        case .woke: watchConnections(at: now)
        case .tick: actions = tick(at: now) + endPatience(at: now)
        }
        if !isEnding {
            actions += fillSlots(at: now)
            actions += askSizes(at: now)
            actions += watchDisks(at: now)
        }
        runMeter(at: now)
        state.runClock(
            count: count, settled: settled, paused: resting.paused, isActive: !active.isEmpty, at: now)
        dropStaleAlarms()
        finishRun(at: now)
        return actions
    }

    /// When a `tick` is due although nothing comes in; `nil`: never.
    ///
    /// Ten a second while bytes move (rates, limits), else the next retry, or question for a size or for room.
    public func nextTick(after now: Moment) -> Moment? {
        guard !isEnding else { return nil }
        let meter = active.isEmpty ? nil : now + .milliseconds(100)
        return [
            meter, retries.first?.at, keptParts.first?.at, nextSizing(after: now), nextGateChange,
            nextDiskWatch,
        ].compactMap { $0 }.min()
    }

    private mutating func finishRun(at now: Moment) {
        guard count > 0, settled == count, state.finish() else { return }
        feed.append(FeedEvent(id: nil, at: now, kind: .queueFinished))
    }
}
