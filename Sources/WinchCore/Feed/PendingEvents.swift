/// Events that a front end has not taken yet, held to a bound without losing what a script must see.
///
/// The sums of `completed` and `total` over all events stay the same, and so does the order of what is kept. Each step
/// joins events of one transfer into the later one. An event that teaches a size carries a change of the guesses for other
/// transfers as well; as long as nothing is joined across such events, the sums after any number of events taken are those
/// of some earlier state of each transfer: never below zero, and completed never above total.
extension [FeedEvent] {
    /// Several smooth runs of every transfer fit in: only a front end that does not read gets joined events.
    static func room(for transfers: Int) -> Int { 1024 + 16 * transfers }

    /// Joins events of each transfer until no more than needed are left, or nothing more can be joined.
    mutating func makeRoom(_ room: Int) {
        join(acrossGuesses: false) { kind in
            if case .moved = kind { .joined } else { .endsRun }
        }
        guard count > room else { return }
        join(acrossGuesses: false) { $0.isStep ? .joined : .endsRun }
        // A front end that has not read for so long sees the right sums at the end, but perhaps not on the way.
        guard count > room else { return }
        join(acrossGuesses: true) { $0.isStep ? .joined : .endsRun }
    }

    private enum Place {
        /// Joined into the next event of the same transfer that is joined too.
        case joined
        /// Kept; what came before it is not joined with what came after.
        case endsRun
    }

    private mutating func join(acrossGuesses: Bool, _ place: (FeedEvent.Kind) -> Place) {
        /// By transfer: where the event is that an earlier one is joined into.
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
                self[target].completed += self[index].completed
                self[target].total += self[index].total
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
    /// Its `total` may hold a change of the guesses for transfers that have not begun.
    fileprivate var mayChangeGuesses: Bool {
        if case .moved = kind { return false }
        return total != 0
    }
}

extension FeedEvent.Kind {
    /// A step on the way that the next one of the same transfer makes history. What joins or leaves the queue, and how a
    /// transfer ends, is none.
    fileprivate var isStep: Bool {
        switch self {
        case .started, .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .retrying, .awaitingSpace,
            .verifying, .replying:
            true
        case .added, .reopened, .finished, .failed, .cancelled, .removed, .restored, .queueFinished: false
        }
    }
}
