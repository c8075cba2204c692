public import WinchCore

/// Owns the queue: takes what happened from the inbox, applies it, has the actions done and posts what changed.
///
/// Nothing in here blocks. The face is never called: it finds the `Update`s where `post` puts them.
public actor Engine {
    private var queue: TransferQueue
    private let inbox: Inbox
    private let effects: Effects
    private let heartbeat: Heartbeat
    private let books: Bookkeeping?
    private let now: @Sendable () -> Moment
    private let slept: @Sendable () -> Duration
    /// `slept` at the last event.
    private var sleptBefore: Duration
    private let post: @Sendable (Update) -> Void

    /// - Parameters:
    ///   - transport: moves the bytes; reports to `inbox`.
    ///   - books: where the queue is kept across runs; `nil`: nowhere.
    ///   - now: the monotonic clock, which stands still while the machine sleeps.
    ///   - slept: how long the machine has slept since some fixed instant.
    ///   - post: takes every change for the face; any thread, must not block.
    public init(
        settings: QueueSettings, inbox: Inbox, transport: any TransportPort, books: Bookkeeping? = nil,
        now: @escaping @Sendable () -> Moment, slept: @escaping @Sendable () -> Duration = { .zero },
        post: @escaping @Sendable (Update) -> Void
    ) {
        queue = TransferQueue(settings: settings)
        if let books {
            queue.keepLedger(from: books.firstKey, calendar: CalendarOffset(now(), is: books.date()))
        }
        self.books = books
        self.inbox = inbox
        effects = Effects(
            transport: transport, ledger: books?.ledger, tellSpace: { inbox.space($1, in: $0) },
            tellRecalled: { inbox.recalled($1, of: $0) })
        heartbeat = Heartbeat(now: now) { inbox.tick() }
        self.now = now
        self.slept = slept
        sleptBefore = slept()
        self.post = post
    }

    /// Works until somebody sends `.quit`; then closes every connection in order, parts kept.
    ///
    /// - Returns: how each transfer stood at the end; the ledger is complete by then.
    public func run() async -> RunSummary {
        for await _ in inbox.signals {
            if handle(inbox.take()) == .ended { break }
        }
        heartbeat.stop()
        // The end of a connection may leave a cancelled part to be removed: that is waited for as well.
        repeat {
            await effects.shutDown()
        } while handle(inbox.take()) != .idle
        keepBooks(at: now(), isLast: true)
        await books?.ledger.close()
        return RunSummary(queue, at: now())
    }

    private enum Outcome: Int, Comparable {
        /// Nothing was to be done.
        case idle
        case acted, ended

        static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }
    }

    private func handle(_ items: [Inbox.Item]) -> Outcome {
        let now = now()
        var outcome = noticeSleep(at: now)
        for item in items {
            switch item {
            case .event(let event): outcome = max(outcome, perform(queue.apply(event, at: now)))
            case .reports(let reports):
                for report in reports { outcome = max(outcome, perform(queue.apply(.report(report), at: now))) }
            }
        }
        if let update = queue.takeUpdate(at: now) { post(update) }
        keepBooks(at: now, isLast: outcome == .ended)
        heartbeat.beat(by: [queue.nextTick(after: now), queue.nextLedgerWrite(after: now)].compactMap(\.self).min())
        return outcome
    }

    private func noticeSleep(at now: Moment) -> Outcome {
        let slept = slept()
        defer { sleptBefore = slept }
        guard slept - sleptBefore > TransferQueue.shortestSleep else { return .idle }
        return perform(queue.apply(.woke, at: now))
    }

    private func keepBooks(at now: Moment, isLast: Bool = false) {
        guard let books else { return }
        let changes = queue.takeLedgerChanges(at: now, books.date(), isLast: isLast)
        if !changes.isEmpty { books.ledger.record(changes) }
    }

    private func perform(_ actions: [QueueAction]) -> Outcome {
        var outcome = Outcome.idle
        for action in actions {
            if case .shutDown = action {
                outcome = .ended
            } else {
                effects.perform(action)
                outcome = max(outcome, .acted)
            }
        }
        return outcome
    }
}
