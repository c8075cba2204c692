import Synchronization
import WinchCore

/// Takes the engine's updates and hands them out to whoever follows. Its lock is the one owner of what is known here.
///
/// Values are handed over under the lock, so that nobody gets an older one after a newer; streams are ended outside of
/// it, since that calls back.
final class Hub: Sendable {
    struct State {
        var records: [Record] = []
        /// Records that are not settled.
        var unsettled = 0
        var latest: NetworkQueue.Progress
        var follows = Follows()
        /// Nothing more is taken in.
        var isClosed = false
        /// The engine has ended: nothing more will come.
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// A transfer as the last update told it.
    struct Record {
        let spec: TransferSpec
        /// `nil` until the engine has taken it in.
        var progress: Transfer.Progress?
        /// It was settled, and the engine has been asked to start it again: what is known is out of date.
        var awaitsRetry = false

        var isSettled: Bool { !awaitsRetry && progress?.isSettled == true }
        /// What may be shown: not the end of a run before the one that was asked for.
        var shown: Transfer.Progress? { awaitsRetry ? nil : progress }
    }

    let state: Mutex<State>

    init(mode: ProgressMode) {
        var totals = QueueTotals()
        totals.mode = mode
        state = Mutex(State(latest: NetworkQueue.Progress(totals, at: Moment(nanoseconds: 0))))
    }

    /// - Parameter send: hands the same specs to the engine, in the order of the records.
    /// - Returns: the number of the first; `nil` when closed.
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

    /// Counts settled transfers as unsettled from here on, until the engine has started them.
    ///
    /// - Parameters:
    ///   - ids: failed and cancelled ones of these; `nil`: all that failed.
    ///   - send: hands the same wish to the engine.
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

extension Hub.Record {
    fileprivate func canRetry(afterCancel: Bool) -> Bool {
        guard !awaitsRetry else { return false }
        switch progress?.phase {
        case .failed: return true
        case .cancelled: return afterCancel
        default: return false
        }
    }
}
