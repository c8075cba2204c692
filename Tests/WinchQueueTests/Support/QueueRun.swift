import TestSupport

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Drives a queue with events and records what a front end would receive.
struct QueueRun {
    var queue: TransferQueue
    var now = Moment(seconds: 1000)
    /// What a listing names is let in at once.
    var admitsAtOnce = true
    /// Of the last event.
    private(set) var actions: [QueueAction] = []
    /// Of the last event.
    private(set) var events: [FeedEvent] = []
    /// Of the last event.
    private(set) var addedAgain: [Update.AddedAgain] = []
    /// Since the beginning.
    private(set) var hookCalls: [HookCall] = []
    /// The changes told since the beginning, added up.
    private(set) var reported = (completed: Int64(0), total: Int64(0))

    init(_ configure: (inout QueueSettings) -> Void = { _ in }) {
        var settings = QueueSettings()
        // Most tests are about slots: new hosts get all of them at once, so that the gates do not limit them.
        settings.perNewHost = Command.mostSlots
        configure(&settings)
        queue = TransferQueue(settings: settings)
    }

    mutating func apply(_ event: QueueEvent) {
        actions = queue.apply(event, at: now)
        takeFeed()
        guard admitsAtOnce else { return }
        let (asked, before) = (actions, events)
        events = []
        for case .admit(let specs, let connection, let isLast) in asked {
            let admitted = Admitted(specs.map { Addition(spec: $0) })
            actions += queue.apply(.admitted(admitted, by: connection, isLast: isLast), at: now)
            takeFeed(after: events)
        }
        events = before + events
    }

    private mutating func takeFeed(after earlier: [FeedEvent] = []) {
        let new = queue.feed.events
        events = earlier + new
        addedAgain = queue.feed.addedAgain
        hookCalls += queue.feed.hookCalls
        for event in new {
            reported.completed += event.completed
            reported.total += event.total
        }
        queue.feed.clear()
    }

    mutating func add(_ specs: TransferSpec...) {
        apply(.added(specs.map { Addition(spec: $0) }))
    }

    mutating func add(_ count: Int, settings: TransferSettings = TransferSettings()) {
        apply(.added((0..<count).map { _ in Addition(spec: .sample(settings: settings)) }))
    }

    /// As a user names them while the queue runs.
    mutating func name(_ specs: TransferSpec...) { name(all: specs) }

    /// - Returns: why some are refused.
    @discardableResult mutating func name(all specs: [TransferSpec]) -> [String] {
        name(additions: specs.map { Addition(spec: $0) })
    }

    @discardableResult mutating func name(additions: [Addition]) -> [String] {
        actions = queue.apply(.named(additions), at: now)
        let refused = queue.feed.refused
        takeFeed()
        return refused
    }

    /// With a part left by an earlier run.
    mutating func add(kept have: Int64, of total: Int64?) {
        apply(.added([Addition(spec: .sample(), resume: .sample(have, of: total))]))
    }

    mutating func command(_ command: Command) { apply(.command(command)) }

    /// A report of the last connection, unless another is given.
    mutating func report(_ number: Int, _ event: TransportEvent, of connection: ConnectionID? = nil) {
        let id = TransferID(number)
        let last = queue[id]?.closing?.id ?? queue[id]?.lastConnection ?? ConnectionID(transfer: id)
        apply(.report(TransportReport(connection ?? last, at: now, event: event)))
    }

    mutating func open(
        _ number: Int, at offset: Int64 = 0, of total: Int64?, status: Int = 200, startedOver: Rebase.Cause? = nil
    ) {
        report(number, .opening(at: offset, of: total, status: status, startedOver: startedOver))
    }

    /// Opens a file whose space is reserved.
    mutating func openReserved(_ number: Int, of total: Int64) {
        guard case .opened(var opening) = TransportEvent.opening(at: 0, of: total) else { return }
        opening.part.isReserved = true
        report(number, .opened(opening))
    }

    mutating func move(_ number: Int, to have: Int64) { report(number, .moving(to: have)) }

    /// The body ends, and the file is renamed.
    mutating func finish(_ number: Int, with size: Int64) {
        report(number, .bodyEnded(size: ByteCount(bytes: size)))
        report(number, .finished(.saved(path: "file"), size: ByteCount(bytes: size)))
    }

    /// A file of a declared size, whole.
    mutating func fetch(_ number: Int, of size: Int64) {
        open(number, of: size)
        finish(number, with: size)
    }

    mutating func fail(
        _ number: Int, _ failure: TransferFailure = .connectionLost("reset"), retryAfter: Duration? = nil,
        kept: Int64? = nil
    ) {
        report(number, .failed(failure, retryAfter: retryAfter, kept: kept.map { .sample($0, of: nil) }))
    }

    mutating func wait(_ span: Duration) {
        now = now + span
        apply(.tick)
    }

    /// Ticks every 100 ms, as the engine does while something moves.
    mutating func pass(_ span: Duration) {
        for _ in 0..<Int(span / .milliseconds(100)) { wait(.milliseconds(100)) }
    }

    /// So many bytes more at each tenth of a second, the steps counted from the beginning of the file.
    mutating func stream(_ number: Int, _ bytes: Int64, steps: ClosedRange<Int>) {
        for step in steps {
            wait(.milliseconds(100))
            move(number, to: Int64(step) * bytes)
        }
    }

    func phase(_ number: Int) -> TransferState.Phase? { queue[TransferID(number)]?.phase }

    /// Of the connection that is the furthest.
    func stage(_ number: Int) -> Connection.Phase? { queue[TransferID(number)]?.stage }

    /// `completed/total` of the queue's bar.
    var bar: String {
        let (completed, total) = queue.progress.counted(in: queue.settings.mode)
        return "\(completed)/\(total)" + (queue.totals(at: now).isEstimated ? " ~" : "")
    }

    /// Those of the last event.
    var rebases: [Rebase.Cause] {
        events.compactMap { event in
            if case .rebase(let cause) = event.kind { cause } else { nil }
        }
    }

    /// The first connection that the last event opened.
    var request: ConnectionRequest? {
        for case .open(let request) in actions { return request }
        return nil
    }

    /// The transfers that the last event started, in order.
    var started: [Int] {
        actions.compactMap { action in
            if case .open(let request) = action { request.transfer.number } else { nil }
        }
    }

    /// Those that hold a slot.
    var running: [Int] { queue.transfers.filter(\.holdsSlot).map(\.id.number) }

    /// The wait that the transfer is in.
    func backoff(_ number: Int) -> Duration? {
        if case .backoff(let until, _)? = phase(number) { until - now } else { nil }
    }
}

extension QueueEvent {
    static func report(_ report: TransportReport) -> Self { .reports([report]) }
}
