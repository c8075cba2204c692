import Synchronization
package import WinchModel

/// Owns the queue: takes events from the inbox, applies them, carries out the resulting actions and posts the changes.
///
/// No method blocks. The engine never waits for a front end: the feed's buffers store the `Update`s until they are taken.
package actor Engine {
    private var queue: TransferQueue
    private let inbox: Inbox
    private let transport: any TransportPort
    private let door: (any EntryDoor)?
    private let heartbeat: DeadlineTimer
    /// Rings when a change that was held back is to be posted.
    private let postTimer: DeadlineTimer
    private var schedule = PostingSchedule()
    private let ledgerSession: RunLedger?
    /// Calls the latest bodies of `Inbox.callWhenStored`, and ends after all earlier ones.
    private var storing: Task<Void, Never>?
    private let now: @Sendable () -> Moment
    private let slept: @Sendable () -> Duration
    /// The value of `slept` at the last event.
    private var sleptBefore: Duration
    private let date: @Sendable () -> UnixTime
    private let feed: UpdateFeed

    /// - Parameters:
    ///   - inbox: everything that happens is sent to it.
    ///   - transport: moves the bytes; must send its reports to `inbox`.
    ///   - ledgerSession: the ledger that stores the queue across runs; `nil`: the queue is not stored.
    ///   - door: what listings and Metalinks name passes it; `nil`: it joins the list as it is.
    ///   - now: reads the monotonic clock, which stands still while the machine sleeps.
    ///   - slept: how long the machine has slept since some fixed instant.
    ///   - date: reads the calendar clock, for snapshots.
    ///   - feed: receives every change for its subscribers.
    package init(
        settings: QueueSettings, inbox: Inbox, transport: any TransportPort, ledgerSession: RunLedger? = nil,
        door: (any EntryDoor)? = nil, now: @escaping @Sendable () -> Moment,
        slept: @escaping @Sendable () -> Duration = { .zero },
        date: @escaping @Sendable () -> UnixTime, feed: UpdateFeed
    ) {
        queue = TransferQueue(settings: settings)
        if let ledgerSession {
            queue.keepLedger(
                from: ledgerSession.firstKey, calendar: CalendarConversion(now(), is: ledgerSession.date()))
        }
        self.ledgerSession = ledgerSession
        self.inbox = inbox
        self.transport = transport
        self.door = door
        heartbeat = DeadlineTimer(now: now) { inbox.tick() }
        postTimer = DeadlineTimer(now: now) { inbox.call {} }
        self.now = now
        self.slept = slept
        sleptBefore = slept()
        self.date = date
        self.feed = feed
    }

    /// Runs until `Command.quit` is sent; then closes every connection and keeps the part files.
    ///
    /// - Returns: the state of each transfer at the end. All changes are in the ledger by then.
    package func run() async -> RunSummary {
        feed.answer { [weak self] in
            guard let self else { return }
            Task { await self.answer() }
        }
        for await _ in inbox.signals {
            if handle(inbox.take()).contains(.shutDown) { break }
        }
        heartbeat.stop()
        // When a connection ends during the shutdown, the part of a cancelled transfer may have to be removed: repeat until
        // the queue has no more actions.
        repeat {
            await transport.shutDown()
        } while !handle(inbox.take()).isEmpty
        postTimer.stop()
        post(at: now())
        writeLedger(at: now(), isLast: true)
        await storing?.value
        await ledgerSession?.ledger.close()
        // What was added last is stored as well.
        for case .callWhenStored(let body) in inbox.take() { body() }
        return RunSummary(queue, at: now())
    }

    /// The present state of the queue, also after the end of `run`.
    package func snapshot() -> QueueSnapshot {
        let now = now()
        // The snapshot has the number of the last update, which therefore must contain every change before it.
        post(at: now)
        let origin = CalendarConversion(now, is: date()).date(of: Moment(nanoseconds: 0))
        return queue.snapshot(at: now, origin: origin, log: feed.latestLog)
    }

    /// Gives the whole state to the feed's subscribers that wait for it.
    private func answer() { if feed.awaitsSnapshot { feed.post(snapshot()) } }

    /// - Returns: the actions that were carried out.
    private func handle(_ items: [Inbox.Item]) -> [QueueAction] {
        let now = now()
        var actions = noticeSleep(at: now)
        var stored: [@Sendable () -> Void] = []
        for item in items {
            switch item {
            case .event(let event, let reply):
                let (count, again) = (queue.order.count, queue.feed.addedAgain.count)
                let refused = queue.feed.refused.count
                actions += apply(event, at: now)
                reply?(
                    queue.order.count - count,
                    queue.feed.addedAgain.dropFirst(again).count(where: \.isStartedAnew),
                    Array(queue.feed.refused.dropFirst(refused)))
            case .call(let body): body()
            case .callWhenStored(let body): stored.append(body)
            }
        }
        // Only updates that follow from reports alone are held back, while transfers are unsettled: the reply to a command is
        // posted at once.
        if !queue.feed.isEmpty, items.allSatisfy(\.isReports), !queue.isSettled, let due = schedule.hold(at: now),
            now < due
        {
            postTimer.ensureTick(by: due)
        } else {
            post(at: now)
        }
        writeLedger(at: now, isLast: actions.contains(.shutDown) || !stored.isEmpty)
        if !stored.isEmpty { callWhenStored(stored) }
        heartbeat.ensureTick(
            by: [queue.nextTick(after: now), queue.nextLedgerWrite(after: now)].compactMap(\.self).min())
        return actions
    }

    private func post(at now: Moment) {
        guard let update = queue.takeUpdate(at: now) else { return }
        schedule.posted(at: now)
        feed.post(update)
    }

    private func noticeSleep(at now: Moment) -> [QueueAction] {
        let slept = slept()
        defer { sleptBefore = slept }
        guard slept - sleptBefore > TransferQueue.shortestSleep else { return [] }
        return apply(.woke, at: now)
    }

    private func writeLedger(at now: Moment, isLast: Bool = false) {
        guard let ledgerSession else { return }
        let changes = queue.takeLedgerChanges(at: now, ledgerSession.date(), isLast: isLast)
        if !changes.isEmpty { ledgerSession.ledger.record(changes) }
    }

    private func callWhenStored(_ bodies: [@Sendable () -> Void]) {
        storing = Task { [earlier = storing, ledger = ledgerSession?.ledger] in
            await ledger?.flush()
            for body in bodies { body() }
            await earlier?.value
        }
    }

    private func apply(_ event: QueueEvent, at now: Moment) -> [QueueAction] {
        let actions = queue.apply(event, at: now)
        for action in actions { perform(action) }
        return actions
    }

    private func perform(_ action: QueueAction) {
        switch action {
        case .open(let request): transport.open(request)
        case .close(let id, let discarding): transport.close(id, discarding: discarding)
        case .retire(let id, let atOnce): transport.retire(id, atOnce: atOnce)
        case .askNoMore(let id): transport.askNoMore(id)
        case .discard(let id, let resume, let folder, let namedParts, let addresses):
            transport.discard(id, resume, folder: folder, namedParts: namedParts, addresses: addresses)
        case .proceed(let id):
            // The ledger must have the place of an upload before anything is sent to it.
            writeLedger(at: now(), isLast: true)
            guard let ledger = ledgerSession?.ledger else { return transport.proceed(id) }
            Task { [transport] in
                await ledger.flush()
                transport.proceed(id)
            }
        case .withdraw(let request): transport.withdraw(request)
        case .probe(let request): transport.probe(request)
        case .stopProbe(let id): transport.stopProbe(id)
        case .limit(let id, let rate): transport.limit(id, to: rate)
        case .trust(let key, let isRemembered): transport.trust(key, remembering: isRemembered)
        case .unlock(let file, let passphrase): transport.unlock(keyFile: file, passphrase)
        case .logIn(let origin, let user, let password, let refused):
            transport.logIn(at: origin, user: user, password, instead: refused)
        case .askSpace(let folder):
            // A network file system may take long to answer; nothing waits for it.
            Task { [transport, inbox] in inbox.space(await transport.space(in: folder), in: folder) }
        case .admit(let specs, let connection, let isLast):
            let enter: @Sendable (Admitted) -> Void = { [inbox] in inbox.admitted($0, by: connection, isLast: isLast) }
            guard let door else { return enter(Admitted(specs.map { Addition(spec: $0) })) }
            door.admitFound(specs, enter: enter)
        case .recall(let id, let key):
            guard let ledger = ledgerSession?.ledger else { return }
            Task { [inbox] in if let details = await ledger.details(of: key) { inbox.recalled(details, of: id) } }
        case .shutDown: break  // `run` awaits its end.
        }
    }
}

/// When the engine posts changes that follow from the transport's reports alone.
struct PostingSchedule {
    /// When the last update was posted; `nil`: none was.
    private var postedAt: Moment?
    /// When the first of the changes that are held back was made; `nil`: none is held back.
    private var heldSince: Moment?

    /// 10 ms: front ends take no more updates than that, and each costs as much as a small file.
    static let interval = Duration.milliseconds(10)
    /// 4 ms: the threads of the transport report at the same instants, and one update for all of them costs half as much.
    static let gatherSpan = Duration.milliseconds(4)

    /// There are changes that are not posted.
    ///
    /// - Returns: when they are to be posted; `nil`: at once, because there was no update before.
    mutating func hold(at now: Moment) -> Moment? {
        guard let postedAt else { return nil }
        let since = heldSince ?? now
        heldSince = since
        return max(postedAt + Self.interval, since + Self.gatherSpan)
    }

    mutating func posted(at now: Moment) { (postedAt, heldSince) = (now, nil) }
}

/// The ledger of a run, with the first free key and the clock that writing to it needs.
package struct RunLedger: Sendable {
    let ledger: any LedgerPort
    /// Free, as are all keys above it.
    let firstKey: LedgerKey
    /// Reads the calendar clock.
    let date: @Sendable () -> UnixTime

    package init(ledger: any LedgerPort, firstKey: LedgerKey, date: @escaping @Sendable () -> UnixTime) {
        (self.ledger, self.firstKey, self.date) = (ledger, firstKey, date)
    }
}

/// Calls `tick` once at the earliest deadline. Without a deadline it never wakes.
final class DeadlineTimer: Sendable {
    private let alarm = Mutex<(at: Moment, task: Task<Void, Never>)?>(nil)
    private let now: @Sendable () -> Moment
    private let tick: @Sendable () -> Void

    init(now: @escaping @Sendable () -> Moment, tick: @escaping @Sendable () -> Void) {
        (self.now, self.tick) = (now, tick)
    }

    /// The time of the next tick; `nil`: none is due.
    var deadline: Moment? { alarm.withLock { $0?.at } }

    /// Ensures a tick at `deadline` or earlier. A deadline later than the present one is ignored, because the engine sets the
    /// next deadline again after each tick.
    func ensureTick(by deadline: Moment?) {
        guard let deadline else { return }
        alarm.withLock { alarm in
            if let set = alarm, set.at <= deadline { return }
            alarm?.task.cancel()
            alarm = (deadline, sleep(until: deadline))
        }
    }

    func stop() {
        alarm.withLock { alarm in
            alarm?.task.cancel()
            alarm = nil
        }
    }

    private func sleep(until deadline: Moment) -> Task<Void, Never> {
        let span = max(.zero, deadline - now())
        return Task { [weak self] in
            do { try await Task.sleep(for: span) } catch { return }
            self?.ring(deadline)
        }
    }

    private func ring(_ deadline: Moment) {
        let isMine = alarm.withLock { alarm in
            guard alarm?.at == deadline else { return false }
            alarm = nil
            return true
        }
        if isMine { tick() }
    }
}

/// Makes entries of the queue out of what folders' listings and Metalinks name, as is done with what the user names.
package protocol EntryDoor: Sendable {
    /// Must not block.
    ///
    /// - Parameter enter: called once with what the specs come to, on any thread. Calls follow in the order in which this was
    ///   called, as far as something of earlier runs is looked for.
    func admitFound(_ specs: [TransferSpec], enter: @escaping @Sendable (Admitted) -> Void)
}

/// A queue of this process: the inbox of its engine, and the feed.
package struct LocalQueue: QueueAccess {
    package let inbox: Inbox
    /// Subscribers that are added before the engine runs need no snapshot.
    package let feed: UpdateFeed

    package init(inbox: Inbox = Inbox(), feed: UpdateFeed = UpdateFeed()) { (self.inbox, self.feed) = (inbox, feed) }

    package func send(_ command: Command) { inbox.send(command) }

    package func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void) {
        add(specs.map { Addition(spec: $0) }, reply: reply)
    }

    /// As for entries, with what earlier runs have of them.
    package func add(_ additions: [Addition], reply: @escaping @Sendable (AdditionReply) -> Void) {
        // What is acknowledged must not be lost, even if this process is killed in the next moment.
        inbox.add(additions) { [inbox] outcome in inbox.callWhenStored { reply(outcome) } }
    }
}
