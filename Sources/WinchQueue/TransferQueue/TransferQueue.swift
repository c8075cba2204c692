package import WinchModel
import WinchProgress

/// The whole queue as a value: events in, single-step actions out; no clock, no input or output.
///
/// Events of an earlier attempt, for transfers that are gone, or that make no sense in the present phase are late, and
/// normal: they change nothing and are counted in `ignored`.
package struct TransferQueue: Sendable {
    package private(set) var settings: QueueSettings
    package private(set) var ignored = 0

    /// By number - 1; blank once removed.
    private(set) var rows = TransferRows(blank: TransferState(removed: TransferID(0)))
    private var commonParts = TransferState.CommonParts()
    /// The uploads that are not settled, or whose connections are closing, by the hash of the file that each replaces at its
    /// server: the names themselves would take many times the memory.
    private(set) var replacers: [Int: TransferID] = [:]
    private(set) var wanted = WantedIndex()
    var trees = TreeSizes()
    /// For the jitter of retries.
    private var random: SplitMix64

    // The parts: each keeps its state to itself.
    package var schedule = Schedule()
    var slots = SlotHolders()
    /// All but the folders that are listed.
    var files = CountsByKind()
    var hosts: ConnectionLimitsByHost
    var disks = DiskSpace()
    package var sums = QueueSums()
    package var probes = SizeProbes()
    /// The running transfers that may have several connections, in the order in which they are served.
    var splits: [TransferID] = []
    var state = RunState()
    /// Those that still stand at `until` as they stood when the machine woke are begun anew.
    var wakeWatch = (positions: [ConnectionID: WakePosition](), until: Moment(nanoseconds: 0))
    var meters = QueueRate()
    package var feed = PendingUpdate()
    package var detailsStore = DetailsStore()
    var undo = UndoHistory()
    /// Settled transfers that leave the list when their connections have let go of the part.
    var leaving: Set<TransferID> = []
    var answers = UserAnswers()
    /// `nil`: nothing outlives this run.
    var ledger: PendingLedgerChanges?

    package init(settings: QueueSettings = QueueSettings()) {
        self.settings = settings
        self.settings.slots = Self.slots(settings.slots)
        self.settings.perHost = max(1, settings.perHost)
        self.settings.perNewHost = max(1, settings.perNewHost)
        self.settings.rateLimit = Self.limit(settings.rateLimit)
        random = SplitMix64(seed: settings.seed)
        hosts = ConnectionLimitsByHost(perHost: max(1, settings.perHost), perNewHost: max(1, settings.perNewHost))
    }

    package subscript(id: TransferID) -> TransferState? {
        // Then what is asked of the row is read where it lies; otherwise the whole row is copied first.
        @inline(__always) get { index(of: id).map { rows[$0] } }
    }

    /// In `rows`; `nil` for a number never given and for a transfer that was removed.
    func index(of id: TransferID) -> Int? {
        guard id.number >= 1, id.number <= rows.count, !rows[id.number - 1].isRemoved else { return nil }
        return id.number - 1
    }

    package var transfers: some Sequence<TransferState> { order.lazy.compactMap { self[$0] } }

    package var order: [TransferID] { schedule.order }

    /// Transfers that hold a connection.
    var active: Set<TransferID> { slots.holders }

    /// Transfers in both directions.
    var count: Int { sums.count }
    var settled: Int { sums.settled }
    var isSettled: Bool { sums.settledRows == sums.rowCount }
    var isEnding: Bool { state.isEnding }

    /// Takes what happened and returns what is to be done, in order: first what the event asks for, then what follows from the
    /// state after it.
    package mutating func apply(_ event: QueueEvent, at now: Moment) -> [QueueAction] {
        noticeGap(at: now)
        openGates(at: now)
        slots.beginBatch()
        var actions = take(event, at: now)
        if !isEnding {
            actions += fillSlots(at: now)
            actions += splitFiles(at: now)
            actions += askSizes(at: now)
            actions += watchDisks(at: now)
        }
        runMeter(at: now)
        state.runClock(
            count: sums.rowCount, settled: sums.settledRows, paused: files[.paused] + sums.listings[.paused],
            isActive: !active.isEmpty, at: now)
        dropStaleAlarms()
        if sums.rowCount > 0, isSettled, !state.isReading, state.finish() {
            feed.append(FeedEvent(id: nil, at: now, kind: .queueFinished))
        }
        return actions
    }

    private mutating func take(_ event: QueueEvent, at now: Moment) -> [QueueAction] {
        switch event {
        case .added(let additions): return add(additions, at: now)
        case .named(let additions): return add(named: additions, at: now)
        case .takenOver(let additions): return takeOver(additions, at: now)
        case .reading(let isReading):
            state.isReading = isReading
            feed.noteTotals()
        case .command(let command): return execute(command, at: now)
        case .reports(let reports): return reports.flatMap { take($0, at: now) }
        case .space(let folder, let reading): return takeSpace(reading, in: folder, at: now)
        case .recalled(let id, let details): take(details, of: id)
        case .admitted(let admitted, let connection, let isLast):
            return take(admitted, by: connection, isLast: isLast, at: now)
        case .woke: watchConnections(at: now)
        case .tick: return tick(at: now) + failExpiredSpaceWaits(at: now)
        }
        return []
    }

    /// When a `tick` is due although nothing comes in; `nil`: never.
    ///
    /// Ten a second while bytes move (rates, limits), else the next retry, or question for a size or for free space.
    package func nextTick(after now: Moment) -> Moment? {
        guard !isEnding else { return nil }
        let meter = active.isEmpty ? nil : now + .milliseconds(100)
        return [
            meter, nextSplit(after: now), schedule.retries.next, schedule.keptSlots.next, undo.parts.next,
            nextSizing(after: now), hosts.nextChange { slots.count(at: $0) },
            disks.nextWatch(timeout: settings.spaceWait),
        ].compactMap { $0 }.min()
    }
}

/// The only places where a row is written.
extension TransferQueue {
    /// The one place where a transfer changes: keeps every sum and set right, and tells the feed.
    ///
    /// When the completed bytes or the fraction fall, a rebase carries the change in the sums; otherwise the event does.
    ///
    /// - Parameters:
    ///   - kind: what happened, for front ends that write events down; `nil` for a change of figures only.
    ///   - cause: why a bar may move back in this step.
    mutating func change(
        _ id: TransferID, at now: Moment, _ kind: FeedEvent.Kind?, cause: Rebase.Cause = .sizeLearned,
        _ body: (inout TransferState) -> Void
    ) {
        guard let index = index(of: id) else { return }
        let before = rows[index].summarize()
        let direction = rows[index].spec.direction
        let claimed = direction == .up && rows[index].claimsReplacedFile
        body(&rows[index])
        rows[index].endWaiting()
        let after = rows[index].summarize()
        let step = replace(before, with: after, in: direction, cause)
        let moving = after.connections.moving - before.connections.moving
        if direction == .up, claimed != rows[index].claimsReplacedFile { claimReplacedFile(at: index) }
        if moving != 0, !after.isListing { meters.connectionsChanged(by: moving, at: now) }
        count(before, sign: -1)
        count(after, sign: 1)
        // Between two attempts time stands still; what was learned of the rate holds for the next.
        if after.isSettled {
            if rows[index].estimator != nil { rows[index].estimator = nil }
        } else if before.holdsSlot, !after.holdsSlot {
            rows[index].estimator?.pause()
        }
        if before.holdsSlot, !after.holdsSlot, rows[index].splitting != nil { endSplitting(at: index, now) }
        if after.have < before.have || after.fraction < before.fraction {
            rows[index].rebase = Rebase(
                cause: cause, at: now, completed: (after.have - before.have).bytes,
                total: (after.size?.bytes ?? 0) - (before.size?.bytes ?? 0))
        }
        if (before.kind == .cancelled) != (after.kind == .cancelled) { undo.noteCancelled() }
        leaveAndEnterLine(id, before, after)
        noteForLedger(id, at: now, kind, from: before, to: after)
        emit(id, direction, from: before, to: after, at: now, kind, step, cause)
    }

    /// Puts a transfer's new share of the sums in place of its old one.
    private mutating func replace(
        _ before: TransferState.Summary, with after: TransferState.Summary, in direction: Direction,
        _ cause: Rebase.Cause
    ) -> SumsSnapshot.Step {
        let isStart = !sums.hasStarted && (after.isSettled || after.holdsSlot)
        // Most changes are none of the sums.
        guard before.share != after.share || isStart else { return .nothing }
        let was = sums.snapshot(direction, in: settings.mode)
        sums.replace(before.share, with: after.share, in: direction)
        if isStart { sums.hasStarted = true }
        sums.moveBar(direction, cause: cause)
        return was.step(to: sums.snapshot(direction, in: settings.mode))
    }

    /// Asks a row for something without a copy of it: see `TransferState.summarize`.
    mutating func ask<Answer>(_ index: Int, _ body: (inout TransferState) -> Answer) -> Answer { body(&rows[index]) }

    /// Changes what no sum, count, set or bar depends on, and causes no event.
    mutating func update(_ id: TransferID, _ body: (inout TransferState) -> Void) {
        if let index = index(of: id) { body(&rows[index]) }
    }

    /// Changes how a file is spread over its connections, which changes no sum; `nil`: it is not split.
    mutating func split<Result>(_ id: TransferID, _ body: (inout Splitting) -> Result) -> Result? {
        guard let index = index(of: id) else { return nil }
        return rows[index].split(body)
    }

    /// The attempt is over: the next begins with one connection.
    private mutating func endSplitting(at index: Int, _ now: Moment) {
        let id = rows[index].id
        splits.removeAll { $0 == id }
        rows[index].splitting?.endAttempt(at: now)
        if rows[index].isSettled { rows[index].splitting = nil }
    }

    /// A transfer joins: the next number is its own.
    mutating func join(_ transfer: TransferState) {
        rows.append(transfer)
        shareParts(ofRowAt: rows.count - 1)
        if transfer.isSettled { sums.hasStarted = true }
        enter(transfer)
        claimReplacedFile(at: rows.count - 1)
    }

    /// Of a hundred thousand transfers with the same settings all have the same copy.
    mutating func shareParts(ofRowAt index: Int) { rows[index].share(&commonParts) }

    /// From now on the transfer is found by the file that it asks for.
    mutating func noteWanted(_ id: TransferID) {
        guard let index = index(of: id), let file = rows[index].spec.wanted else { return }
        let all = rows
        wanted.insert(id, for: file) { !all[$0.number - 1].isRemoved }
    }

    /// Until an upload is settled and its connections have closed, no other may replace the same file.
    private mutating func claimReplacedFile(at index: Int) {
        guard let file = rows[index].spec.replacedFile?.hashValue else { return }
        if rows[index].claimsReplacedFile {
            replacers[file] = rows[index].id
        } else if replacers[file] == rows[index].id {
            replacers[file] = nil
        }
    }

    /// A settled transfer leaves; its number is not used again.
    mutating func leave(_ id: TransferID) {
        guard let index = index(of: id) else { return }
        let summary = rows[index].summary
        sums.replace(summary.share, with: nil, in: rows[index].spec.direction)
        count(summary, sign: -1)
        if summary.isListing, let folder = self[id] { countFolder(folder, by: -1) }
        rows.remove(at: index)
    }

    mutating func comeBack(_ transfer: TransferState) {
        rows.putBack(transfer, at: transfer.id.number - 1)
        enter(transfer)
    }

    private mutating func enter(_ transfer: TransferState) {
        let summary = transfer.summary
        sums.replace(nil, with: summary.share, in: transfer.spec.direction)
        count(summary, sign: 1)
        if transfer.isListing { countFolder(transfer, by: 1) }
        noteWanted(transfer.id)
        feed.noteChange(of: transfer.id)
    }
}

/// The only places where a setting and the queue's own figures are written.
extension TransferQueue {
    mutating func ignore() { ignored += 1 }

    mutating func ignoring() -> [QueueAction] {
        ignore()
        return []
    }

    mutating func nextRandom() -> UInt64 { random.next() }

    /// 0..<1.
    mutating func nextJitter() -> Double { .random(in: 0..<1, using: &random) }

    mutating func changeSettings(_ body: (inout QueueSettings) -> Void) {
        body(&settings)
        feed.noteTotals()
    }
}

/// One thing that the queue wants done. The engine does it and asks nothing.
package enum QueueAction: Hashable, Sendable {
    case open(ConnectionRequest)
    case close(ConnectionID, discarding: Bool)
    case retire(ConnectionID, atOnce: Bool)
    case askNoMore(TransferID)
    case discard(TransferID, ResumePoint?, folder: String, namedParts: Int, addresses: [TransferURL])
    case proceed(ConnectionID)
    case withdraw(ConnectionRequest)
    case probe(ProbeRequest)
    case stopProbe(TransferID)
    case limit(ConnectionID, ByteRate?)
    /// The answer is a `.space` of the folder.
    case askSpace(folder: String)
    /// What a folder's listing or a Metalink has named. The answer is an `.admitted`.
    case admit([TransferSpec], by: ConnectionID, isLast: Bool)
    /// The answer is a `.recalled`, if the ledger has anything.
    case recall(TransferID, LedgerKey)
    /// Written into known_hosts as well when it is to be remembered.
    case trust(SSHHostKey, remembering: Bool)
    case unlock(keyFile: String, Secret)
    /// `instead`: users whose logins the server has refused; `nil` among them: one without a name, such as a token.
    case logIn(origin: String, user: String, Secret, instead: Set<String?>)
    /// All connections are to be closed and the engine is to end.
    case shutDown
}

package enum QueueEvent: Sendable {
    case added([Addition])
    /// By a user while the queue runs: what is in the list already is not added again.
    case named([Addition])
    /// What other runs have left: what is in the list already is not added again.
    case takenOver([Addition])
    /// Whether more transfers follow: a batch is being read.
    case reading(Bool)
    case command(Command)
    /// In their order: what follows from all of them, new connections above all, is decided once.
    case reports([TransportReport])
    /// Free space in a folder; `nil`: it cannot be read.
    case space(folder: String, DiskSpaceReading?)
    /// What an `.admit` comes to.
    case admitted(Admitted, by: ConnectionID, isLast: Bool)
    /// What the ledger keeps of a transfer's attempts.
    case recalled(TransferID, StoredDetails)
    /// The machine slept for more than `TransferQueue.shortestSleep`, which the monotonic clock does not count.
    case woke
    /// Time has passed: retries, rates, limits.
    case tick
}
