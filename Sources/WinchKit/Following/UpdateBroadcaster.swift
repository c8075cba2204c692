import Synchronization
import WinchModel

/// Distributes the engine's updates to all followers. All state is protected by one lock.
///
/// Values are passed to streams under the lock, so that no follower gets an older value after a newer one. Streams are
/// ended after the lock is released, because that calls their termination handlers, which take the lock.
final class UpdateBroadcaster: Sendable {
    /// Protected by the lock.
    struct State {
        /// By transfer number, from 1: the record of number n has index n - 1.
        var records: [Record] = []
        /// Records that are not settled.
        var unsettled = 0
        var latest: NetworkQueue.Progress
        var follows = Subscriptions()
        /// No more transfers are accepted.
        var isClosed = false
        /// The engine has ended; there will be no more updates.
        var hasEnded = false
    }

    /// What the library knows about one transfer.
    struct Record {
        let spec: TransferSpec
        /// The state in the last update; `nil` until the engine has accepted the transfer.
        var progress: Transfer.Progress?
        /// The engine has been asked to start the settled transfer again, so `progress` is out of date.
        var awaitsRetry = false

        var isSettled: Bool { !awaitsRetry && progress?.isSettled == true }
        /// The state for followers; `nil` while it is out of date, so that they do not see the end of the previous run.
        var shown: Transfer.Progress? { awaitsRetry ? nil : progress }
    }

    let state: Mutex<State>

    init(mode: ProgressMode) {
        var totals = QueueTotals()
        totals.mode = mode
        state = Mutex(State(latest: NetworkQueue.Progress(totals, at: Moment(nanoseconds: 0))))
    }

    /// Adds records for transfers.
    ///
    /// - Parameter send: sends the same specs to the engine. Called under the lock, so that the engine numbers the transfers
    ///   in the order of the records.
    /// - Returns: the ID of the first one; the others follow. `nil` when the queue is closed.
    func add(_ specs: [TransferSpec], send: () -> Void) -> TransferID? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let first = state.records.count + 1
            state.records += specs.map { Record(spec: $0) }
            state.unsettled += specs.count
            send()
            return TransferID(first)
        }
    }

    /// Counts transfers that are to be started again as unsettled, from this call on.
    ///
    /// - Parameters:
    ///   - ids: of these, the failed and the cancelled ones are started again; `nil`: all failed ones.
    ///   - send: sends the same command to the engine.
    func retry(_ ids: [TransferID]?, send: () -> Void) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let indices = ids?.map { $0.number - 1 } ?? Array(state.records.indices)
            for index in indices where state.records[index].canRetry(afterCancel: ids != nil) {
                state.records[index].awaitsRetry = true
                state.unsettled += 1
            }
            send()
        }
    }

    func close(send: () -> Void) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            send()
        }
    }

    var latest: NetworkQueue.Progress { state.withLock { $0.latest } }

    func latest(of id: TransferID) -> Transfer.Progress? { state.withLock { $0.records[id.number - 1].progress } }

    var unsettled: [TransferID] {
        state.withLock { state in
            state.records.indices.filter { !state.records[$0].isSettled }.map { TransferID($0 + 1) }
        }
    }

    var results: [TransferResult] {
        state.withLock { state in
            state.records.enumerated().map { index, record in
                TransferResult(id: TransferID(index + 1), spec: record.spec, progress: record.shown)
            }
        }
    }
}

extension UpdateBroadcaster.Record {
    fileprivate func canRetry(afterCancel: Bool) -> Bool {
        guard !awaitsRetry else { return false }
        switch progress?.phase {
        case .failed: return true
        case .cancelled: return afterCancel
        default: return false
        }
    }
}

extension UpdateBroadcaster: UpdateSubscriber {
    /// Takes an update of the feed and passes it to the followers. The feed makes one call at a time; the call does not
    /// wait for followers.
    func post(_ update: Update) {
        for end in state.withLock({ $0.take(update) }) { end() }
    }

    /// Ends all streams after the engine has ended. All followers have the last state by then.
    func end() {
        let ends = state.withLock { state in
            (state.isClosed, state.hasEnded) = (true, true)
            return state.follows.removeAll()
        }
        for end in ends { end() }
    }
}

extension UpdateBroadcaster.State {
    /// - Returns: the followers that have received their last state.
    fileprivate mutating func take(_ update: Update) -> Subscriptions.Ends {
        var over = Subscriptions.Ends()
        for event in update.events {
            guard let id = event.id, id.number <= records.count else { continue }
            switch event.kind {
            // A retry fails at once when another upload replaces the same file.
            case .resumed, .failed: change(id) { $0.awaitsRetry = false }
            default: break
            }
        }
        for (id, row) in update.rows where id.number <= records.count {
            let progress = Transfer.Progress(row, at: update.at)
            let record = change(id) { $0.progress = progress }
            guard let shown = record.shown else { continue }
            follows.give(shown, of: id, isLast: record.isSettled, over: &over)
        }
        latest = NetworkQueue.Progress(update.totals, at: update.at)
        // If the engine's totals are settled but a transfer was added that the engine has not seen yet, this is no end.
        if unsettled == 0 || !latest.isSettled {
            follows.give(latest, isLast: unsettled == 0, over: &over)
        }
        follows.giveEvents(update.events, room: [FeedEvent].room(for: records.count))
        return over
    }

    @discardableResult
    private mutating func change(_ id: TransferID, _ body: (inout UpdateBroadcaster.Record) -> Void)
        -> UpdateBroadcaster.Record
    {
        let was = records[id.number - 1].isSettled
        body(&records[id.number - 1])
        let record = records[id.number - 1]
        unsettled += (was ? 1 : 0) - (record.isSettled ? 1 : 0)
        return record
    }
}

extension UpdateBroadcaster {
    /// The states of a transfer: the present one first, then every change. The stream ends after the last state. When its
    /// reader is released, the stream is unregistered.
    func follow(_ id: TransferID) -> AsyncStream<Transfer.Progress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Transfer.Progress.self, bufferingPolicy: .bufferingNewest(1))
        let token: Int? = state.withLock { state in
            let record = state.records[id.number - 1]
            if let shown = record.shown { continuation.yield(shown) }
            guard !record.isSettled, !state.hasEnded else { return nil }
            return state.follows.add(continuation, of: id)
        }
        guard let token else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget { $0.remove(token, of: id) } }
        return stream
    }

    /// The states of the whole queue, in the same way.
    func follow() -> AsyncStream<NetworkQueue.Progress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkQueue.Progress.self, bufferingPolicy: .bufferingNewest(1))
        let token: Int? = state.withLock { state in
            let isOver = state.unsettled == 0 || state.hasEnded
            if isOver || !state.latest.isSettled { continuation.yield(state.latest) }
            return isOver ? nil : state.follows.add(continuation)
        }
        guard let token else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget { $0.remove(token) } }
        return stream
    }

    /// A buffer that receives all events from now on, until `forget`.
    func followEvents() -> EventBuffer {
        let buffer = EventBuffer()
        let isOver = state.withLock { state in
            if !state.hasEnded { state.follows.add(buffer) }
            return state.hasEnded
        }
        if isOver { buffer.end() }
        return buffer
    }

    func forget(_ buffer: EventBuffer) {
        forget { $0.remove(buffer) }
    }

    /// Binds a receiver, in place of the one that was bound there.
    ///
    /// - Returns: the present state, `nil` if there is none yet, and whether it is the last one.
    func bind(_ bound: BoundProgress) -> (present: Transfer.Progress?, isOver: Bool) {
        let (present, isOver, displaced) = state.withLock { state in
            let record = state.records[bound.transfer.number - 1]
            let isOver = record.isSettled || state.hasEnded
            let displaced = isOver ? nil : state.follows.bind(bound)
            return (record.shown.map(bound.view), isOver, displaced)
        }
        displaced?.release()
        if isOver { bound.finish() }
        return (present, isOver)
    }

    func unbind(_ bound: BoundProgress) {
        bound.release()
        forget { $0.unbind(bound) }
    }

    /// Removes a follower. `removal` returns it, so that it is released after the lock, not under it.
    private func forget<Gone: Sendable>(_ removal: @Sendable (inout Subscriptions) -> Gone?) {
        _ = state.withLock { removal(&$0.follows) }
    }
}

/// All followers, by what they follow: streams of transfers and of the queue, bound receivers, and event buffers.
struct Subscriptions {
    typealias TransferFollower = AsyncStream<Transfer.Progress>.Continuation
    typealias QueueFollower = AsyncStream<NetworkQueue.Progress>.Continuation

    private var lastToken = 0
    private var ofTransfers: [TransferID: [Int: TransferFollower]] = [:]
    private var ofQueue: [Int: QueueFollower] = [:]
    private var bindings: [TransferID: [Direction: BoundProgress]] = [:]
    private var buffers: [ObjectIdentifier: EventBuffer] = [:]

    /// End the streams of followers that were removed after their last state. Must not be called under the broadcaster's lock,
    /// because a stream's termination handler takes it.
    typealias Ends = [@Sendable () -> Void]

    // MARK: Handing out

    func giveEvents(_ events: [FeedEvent], room: Int) {
        guard !buffers.isEmpty else { return }
        let events = events.compactMap(NetworkQueue.Event.init)
        for buffer in buffers.values { buffer.put(events, room: room) }
    }

    mutating func give(_ progress: Transfer.Progress, of id: TransferID, isLast: Bool, over: inout Ends) {
        if let followers = ofTransfers[id] {
            for follower in followers.values {
                follower.yield(progress)
                if isLast { over.append { follower.finish() } }
            }
            if isLast { ofTransfers[id] = nil }
        }
        guard let bindingsOfTransfer = bindings[id] else { return }
        for bound in bindingsOfTransfer.values {
            bound.give(progress, isLast: isLast)
            if isLast { over.append { bound.finish() } }
        }
        if isLast { bindings[id] = nil }
    }

    mutating func give(_ progress: NetworkQueue.Progress, isLast: Bool, over: inout Ends) {
        for follower in ofQueue.values {
            follower.yield(progress)
            if isLast { over.append { follower.finish() } }
        }
        if isLast { ofQueue = [:] }
    }

    // MARK: Coming and going

    mutating func add(_ follower: TransferFollower, of id: TransferID) -> Int {
        lastToken += 1
        ofTransfers[id, default: [:]][lastToken] = follower
        return lastToken
    }

    mutating func add(_ follower: QueueFollower) -> Int {
        lastToken += 1
        ofQueue[lastToken] = follower
        return lastToken
    }

    mutating func add(_ buffer: EventBuffer) { buffers[ObjectIdentifier(buffer)] = buffer }

    /// - Returns: the receiver that was bound there before; `nil`: none.
    mutating func bind(_ bound: BoundProgress) -> BoundProgress? {
        bindings[bound.transfer, default: [:]].updateValue(bound, forKey: bound.direction)
    }

    mutating func remove(_ token: Int, of id: TransferID) -> TransferFollower? {
        let follower = ofTransfers[id]?.removeValue(forKey: token)
        if ofTransfers[id]?.isEmpty == true { ofTransfers[id] = nil }
        return follower
    }

    mutating func remove(_ token: Int) -> QueueFollower? { ofQueue.removeValue(forKey: token) }

    mutating func remove(_ buffer: EventBuffer) -> EventBuffer? {
        buffers.removeValue(forKey: ObjectIdentifier(buffer))
    }

    /// Removes the receiver, unless another one has been bound in its place since.
    mutating func unbind(_ bound: BoundProgress) -> BoundProgress? {
        guard bindings[bound.transfer]?[bound.direction] === bound else { return nil }
        defer { if bindings[bound.transfer]?.isEmpty == true { bindings[bound.transfer] = nil } }
        return bindings[bound.transfer]?.removeValue(forKey: bound.direction)
    }

    mutating func removeAll() -> Ends {
        var over: Ends = []
        for follower in ofTransfers.values.flatMap(\.values) { over.append { follower.finish() } }
        for follower in ofQueue.values { over.append { follower.finish() } }
        for bound in bindings.values.flatMap(\.values) { over.append { bound.finish() } }
        for buffer in buffers.values { over.append { buffer.end() } }
        (ofTransfers, ofQueue, bindings, buffers) = ([:], [:], [:], [:])
        return over
    }

    /// There are no followers.
    var isEmpty: Bool { ofTransfers.isEmpty && ofQueue.isEmpty && bindings.isEmpty && buffers.isEmpty }
}
