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
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
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

    /// Returns when the engine has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
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
