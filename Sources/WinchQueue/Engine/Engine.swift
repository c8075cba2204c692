package import WinchModel

/// Owns the queue: takes events from the inbox, applies them, carries out the resulting actions and posts the changes.
///
/// No method blocks. The engine never waits for a front end: the feed's buffers store the `Update`s until they are taken.
package actor Engine {
    private var queue: TransferQueue
    private let inbox: Inbox
    private let effects: ActionRunner
    private let heartbeat: DeadlineTimer
    /// Rings when a change that was held back is to be posted.
    private let postTimer: DeadlineTimer
    private var schedule = PostingSchedule()
    private let ledgerSession: RunLedger?
    private let now: @Sendable () -> Moment
    private let slept: @Sendable () -> Duration
    /// The value of `slept` at the last event.
    private var sleptBefore: Duration
    private let date: @Sendable () -> UnixTime
    private let feed: UpdateFeed

    /// - Parameters:
    ///   - inbox: everything that happens is sent to it.
    ///   - transport: moves the bytes; must send its reports to `inbox`.
    ///   - books: the ledger that stores the queue across runs; `nil`: the queue is not stored.
    ///   - now: reads the monotonic clock, which stands still while the machine sleeps.
    ///   - slept: how long the machine has slept since some fixed instant.
    ///   - date: reads the calendar clock, for snapshots.
    ///   - feed: receives every change for its subscribers.
    package init(
        settings: QueueSettings, inbox: Inbox, transport: any TransportPort, ledgerSession: RunLedger? = nil,
        now: @escaping @Sendable () -> Moment, slept: @escaping @Sendable () -> Duration = { .zero },
        date: @escaping @Sendable () -> UnixTime, feed: UpdateFeed
    ) {
        queue = TransferQueue(settings: settings)
        if let ledgerSession {
            queue.keepLedger(
                from: ledgerSession.firstKey, calendar: CalendarConversion(now(), is: ledgerSession.date()),
                allowances: ledgerSession.allowances)
        }
        self.ledgerSession = ledgerSession
        self.inbox = inbox
        effects = ActionRunner(
            transport: transport, ledger: ledgerSession?.ledger, reportSpace: { inbox.space($1, in: $0) },
            reportRecalled: { inbox.recalled($1, of: $0) })
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
            if handle(inbox.take()) == .ended { break }
        }
        heartbeat.stop()
        // When a connection ends during the shutdown, the part of a cancelled transfer may have to be removed: repeat until
        // the queue has no more actions.
        repeat {
            await effects.shutDown()
        } while handle(inbox.take()) != .idle
        postTimer.stop()
        post(at: now())
        writeLedger(at: now(), isLast: true)
        await ledgerSession?.ledger.close()
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
    private func answer() {
        if feed.awaitsSnapshot { feed.post(snapshot()) }
    }

    /// The effect of a round of events, in ascending order: the largest counts.
    private enum Outcome: Int, Comparable {
        /// There were no actions.
        case idle
        /// `acted`: actions were carried out; `ended`: the queue is to be shut down.
        case acted, ended

        static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }
    }

    private func handle(_ items: [Inbox.Item]) -> Outcome {
        let now = now()
        var outcome = noticeSleep(at: now)
        var stored: [@Sendable () -> Void] = []
        for item in items {
            switch item {
            case .event(let event): outcome = max(outcome, perform(queue.apply(event, at: now)))
            case .reports(let reports): outcome = max(outcome, perform(queue.apply(reports, at: now)))
            case .entries(let specs, let reply):
                let before = queue.order.count
                outcome = max(outcome, perform(queue.apply(.command(.add(specs)), at: now)))
                reply(queue.order.count - before)
            case .call(let body): body()
            case .callWhenStored(let body): stored.append(body)
            }
        }
        // Only updates that follow from reports alone are held back, while transfers are unsettled: the reply to a command is
        // posted at once.
        if queue.hasUpdate, items.allSatisfy(\.isReports), !queue.isSettled, let due = schedule.hold(at: now), now < due
        {
            postTimer.ensureTick(by: due)
        } else {
            post(at: now)
        }
        writeLedger(at: now, isLast: outcome == .ended || !stored.isEmpty)
        if !stored.isEmpty { callWhenStored(stored) }
        heartbeat.ensureTick(
            by: [queue.nextTick(after: now), queue.nextLedgerWrite(after: now)].compactMap(\.self).min())
        return outcome
    }

    private func post(at now: Moment) {
        guard let update = queue.takeUpdate(at: now) else { return }
        schedule.posted(at: now)
        feed.post(update)
    }

    private func noticeSleep(at now: Moment) -> Outcome {
        let slept = slept()
        defer { sleptBefore = slept }
        guard slept - sleptBefore > TransferQueue.shortestSleep else { return .idle }
        return perform(queue.apply(.woke, at: now))
    }

    private func writeLedger(at now: Moment, isLast: Bool = false) {
        guard let ledgerSession else { return }
        let changes = queue.takeLedgerChanges(at: now, ledgerSession.date(), isLast: isLast)
        if !changes.isEmpty { ledgerSession.ledger.record(changes) }
    }

    private func callWhenStored(_ bodies: [@Sendable () -> Void]) {
        Task { [ledger = ledgerSession?.ledger] in
            await ledger?.flush()
            for body in bodies { body() }
        }
    }

    private func perform(_ actions: [QueueAction]) -> Outcome {
        var outcome = Outcome.idle
        for action in actions {
            if case .shutDown = action {
                outcome = .ended
            } else {
                // The ledger must have the place of an upload before anything is sent to it.
                if case .proceed = action { writeLedger(at: now(), isLast: true) }
                effects.perform(action)
                outcome = max(outcome, .acted)
            }
        }
        return outcome
    }
}
