public import WinchCore

/// Owns the queue: takes what happened from the inbox, applies it, has the actions done and posts what changed.
///
/// Nothing in here blocks. The face is never called: it finds the `Update`s where `post` puts them.
public actor Engine {
    private var queue: TransferQueue
    private let inbox: Inbox
    private let effects: Effects
    private let heartbeat: Heartbeat
    private let now: @Sendable () -> Moment
    private let post: @Sendable (Update) -> Void

    /// - Parameters:
    ///   - transport: moves the bytes; reports to `inbox`.
    ///   - now: the monotonic clock.
    ///   - post: takes every change for the face; any thread, must not block.
    public init(
        settings: QueueSettings, inbox: Inbox, transport: any TransportPort, now: @escaping @Sendable () -> Moment,
        post: @escaping @Sendable (Update) -> Void
    ) {
        queue = TransferQueue(settings: settings)
        self.inbox = inbox
        effects = Effects(transport: transport) { inbox.space($1, in: $0) }
        heartbeat = Heartbeat(now: now) { inbox.tick() }
        self.now = now
        self.post = post
    }

    /// Works until somebody sends `.quit`; then closes every connection in order, parts kept.
    ///
    /// - Returns: how each transfer stood at the end.
    public func run() async -> RunSummary {
        for await _ in inbox.signals {
            if handle(inbox.take()) == .ended { break }
        }
        heartbeat.stop()
        await effects.shutDown()
        _ = handle(inbox.take())
        return RunSummary(queue)
    }

    private enum Outcome {
        case goesOn, ended
    }

    private func handle(_ items: [Inbox.Item]) -> Outcome {
        let now = now()
        var outcome = Outcome.goesOn
        for item in items {
            switch item {
            case .event(let event):
                if perform(queue.apply(event, at: now)) == .ended { outcome = .ended }
            case .reports(let reports):
                for report in reports where perform(queue.apply(.report(report), at: now)) == .ended {
                    outcome = .ended
                }
            }
        }
        if let update = queue.takeUpdate(at: now) { post(update) }
        heartbeat.beat(by: queue.nextTick(after: now))
        return outcome
    }

    private func perform(_ actions: [QueueAction]) -> Outcome {
        var outcome = Outcome.goesOn
        for action in actions {
            if case .shutDown = action { outcome = .ended } else { effects.perform(action) }
        }
        return outcome
    }
}
