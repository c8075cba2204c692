/// Bounds the number of events that a front end has not taken yet. Events that a script must see are never dropped.
///
/// The sums of `completed` and `total` over all events stay the same, and so does the order of the kept events. Each step
/// merges an event into a later one of the same transfer. An event that makes a size known also changes the guessed sizes
/// of other transfers. As long as no two events are merged across such an event, the sums over any prefix of the events
/// are those of some earlier state of each transfer: never below zero, and completed never above total.
extension [FeedEvent] {
    /// The bound for a queue of so many transfers. The events of several runs without failures fit, so that only a front end
    /// that has stopped reading gets merged events.
    static func room(for transfers: Int) -> Int { 1024 + 16 * transfers }

    /// Merges events of each transfer until at most `room` are left or none can be merged.
    mutating func makeRoom(_ room: Int) {
        join(acrossGuesses: false) { kind in
            if case .moved = kind { .joined } else { .endsRun }
        }
        guard count > room else { return }
        join(acrossGuesses: false) { $0.isStep ? .joined : .endsRun }
        // The last resort: the sums are right after the last event, but perhaps not in between.
        guard count > room else { return }
        join(acrossGuesses: true) { $0.isStep ? .joined : .endsRun }
    }

    private enum Place {
        /// Merged into the next event of the same transfer that is `joined` as well.
        case joined
        /// Kept; events of the transfer before it are not merged with events after it.
        case endsRun
    }

    private mutating func join(acrossGuesses: Bool, _ place: (FeedEvent.Kind) -> Place) {
        /// By transfer: the index of the event into which an earlier one is merged.
        var later: [TransferID: Int] = [:]
        var isJoined = [Bool](repeating: false, count: count)
        for index in indices.reversed() {
            // An event of the queue itself may carry the sums of any transfer.
            guard let id = self[index].id, acrossGuesses || !self[index].mayChangeGuesses else {
                later.removeAll(keepingCapacity: true)
                continue
            }
            guard place(self[index].kind) == .joined else {
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
        var index = -1
        removeAll { _ in
            index += 1
            return isJoined[index]
        }
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
