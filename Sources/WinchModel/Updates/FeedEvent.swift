/// One event of a transfer or of the queue, for front ends that write events (JSON, plain lines, the log).
///
/// `completed` and `total` are the changes that this event made to the queue's sums of bytes in its direction: their sums
/// over all events of a direction are its totals at any time.
package struct FeedEvent: Hashable, Sendable, Codable {
    /// What happened, with the data of that event.
    package enum Kind: Hashable, Sendable, Codable {
        case added(url: String, name: String)
        /// As `added`, for a transfer of an earlier run, with its state at the start of this run.
        indirect case reopened(url: String, name: String, LedgerState)
        case started(attempt: Int)
        case redirected(url: String)
        case headers(status: Int)
        /// Bytes have arrived; see `have`.
        case moved
        case rebase(Rebase.Cause)
        /// The size became known, or changed; see `size`.
        case sized
        /// The transfer is to have so many connections from now on.
        /// - Parameter open: those that it has, in the order of opening.
        case connections(Int, reason: String, open: [OpenConnection] = [])
        case paused
        case resumed
        case retrying(in: Duration, failure: TransferFailure)
        /// The file system of this folder has too little space; the transfer continues by itself when there is enough.
        case awaitingSpace(folder: String)
        indirect case warned(TransferWarning)
        case verifying
        /// The whole body of an upload has been sent.
        case replying
        case finished(TransferPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
        case removed
        /// The transfer's removal was undone.
        case restored
        /// All transfers are settled; once for each run of the queue.
        case queueFinished
    }

    /// `nil` for the queue itself.
    package var id: TransferID?
    package var direction: Direction
    package var at: Moment
    package var kind: Kind
    package var completed: Int64
    package var total: Int64
    /// Bytes of this transfer on disk after the event.
    package var have: ByteCount
    /// The size of its file; `nil` while it is not known.
    package var size: ByteCount?

    package init(
        id: TransferID?, direction: Direction = .down, at: Moment, kind: Kind, completed: Int64 = 0, total: Int64 = 0,
        have: ByteCount = .zero, size: ByteCount? = nil
    ) {
        (self.id, self.direction, self.at, self.kind) = (id, direction, at, kind)
        (self.completed, self.total, self.have, self.size) = (completed, total, have, size)
    }

    /// Merges the next event into this one if both are `moved` of the same transfer.
    ///
    /// - Returns: whether it was merged.
    package mutating func join(_ next: FeedEvent) -> Bool {
        guard id == next.id, case .moved = kind, case .moved = next.kind else { return false }
        (at, have, size) = (next.at, next.have, next.size)
        completed &+= next.completed
        total &+= next.total
        return true
    }
}

/// Bounds the number of events that a front end has not taken yet. Events that a script must see are never dropped.
///
/// The sums of `completed` and `total` over all events stay the same, and so does the order of the kept events. Each step
/// merges an event into a later one of the same transfer. An event that makes a size known also changes the guessed sizes
/// of other transfers. As long as no two events are merged across such an event, the sums over any prefix of the events
/// are those of some earlier state of each transfer: never below zero, and completed never above total.
extension [FeedEvent] {
    /// The bound for a queue of so many transfers. The events of several runs without failures fit, so that only a front end
    /// that has stopped reading gets merged events.
    package static func room(for transfers: Int) -> Int { 1024 + 16 * transfers }

    /// Merges events of each transfer until at most `room` are left or none can be merged.
    mutating func makeRoom(_ room: Int) {
        join(acrossGuesses: false) { kind in
            if case .moved = kind { true } else { false }
        }
        guard count > room else { return }
        join(acrossGuesses: false) { $0.isStep }
        // The last resort: the sums are right after the last event, but perhaps not in between.
        guard count > room else { return }
        join(acrossGuesses: true) { $0.isStep }
    }

    /// - Parameter canJoin: whether an event is merged into the next one of the same transfer that can join as well. Any other is
    ///   kept, and events before it are not merged with events after it.
    private mutating func join(acrossGuesses: Bool, _ canJoin: (FeedEvent.Kind) -> Bool) {
        /// By transfer: the index of the event into which an earlier one is merged.
        var later: [TransferID: Int] = [:]
        var isJoined = [Bool](repeating: false, count: count)
        for index in indices.reversed() {
            // An event of the queue itself may carry the sums of any transfer.
            guard let id = self[index].id, acrossGuesses || !self[index].mayChangeGuesses else {
                later.removeAll(keepingCapacity: true)
                continue
            }
            guard canJoin(self[index].kind) else {
                later[id] = nil
                continue
            }
            if let target = later[id] {
                self[target].completed &+= self[index].completed
                self[target].total &+= self[index].total
                isJoined[index] = true
            } else {
                later[id] = index
            }
        }
        self = indices.filter { !isJoined[$0] }.map { self[$0] }
    }
}

extension FeedEvent {
    /// True when `total` may include a change of guessed sizes of transfers that have not started.
    fileprivate var mayChangeGuesses: Bool {
        if case .moved = kind { return false }
        return total != 0
    }
}

extension FeedEvent.Kind {
    /// An intermediate event, which is obsolete after the next event of the same transfer. Events by which a transfer is
    /// added, removed or ends are not.
    fileprivate var isStep: Bool {
        switch self {
        case .started, .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .retrying, .awaitingSpace,
            .connections, .warned, .verifying, .replying:
            true
        case .added, .reopened, .finished, .failed, .cancelled, .removed, .restored, .queueFinished: false
        }
    }
}
