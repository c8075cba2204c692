import WinchModel

/// All followers, by what they follow: streams of transfers and of the queue, bound receivers, and event mailboxes.
struct Subscriptions {
    typealias TransferFollower = AsyncStream<Transfer.Progress>.Continuation
    typealias QueueFollower = AsyncStream<NetworkQueue.Progress>.Continuation

    private var lastToken = 0
    private var ofTransfers: [TransferID: [Int: TransferFollower]] = [:]
    private var ofQueue: [Int: QueueFollower] = [:]
    private var bindings: [BindingSlot: BoundProgress] = [:]
    private var mailboxes: [ObjectIdentifier: EventBuffer] = [:]

    /// Followers that have been removed after their last state, and whose streams are still to be ended.
    struct Over {
        fileprivate var ofTransfers: [TransferFollower] = []
        fileprivate var ofQueue: [QueueFollower] = []
        fileprivate var bindings: [BoundProgress] = []
        fileprivate var mailboxes: [EventBuffer] = []

        /// Ends the streams. Must not be called under the hub's lock, because a stream's termination handler takes it.
        func finish() {
            for follower in ofTransfers { follower.finish() }
            for follower in ofQueue { follower.finish() }
            for bound in bindings { bound.finish() }
            for mailbox in mailboxes { mailbox.end() }
        }
    }

    // MARK: Handing out

    func giveEvents(_ events: [FeedEvent], room: Int) {
        guard !mailboxes.isEmpty else { return }
        let events = events.compactMap(NetworkQueue.Event.init)
        for mailbox in mailboxes.values { mailbox.put(events, room: room) }
    }

    mutating func give(_ progress: Transfer.Progress, of id: TransferID, isLast: Bool, over: inout Over) {
        if let followers = ofTransfers[id] {
            for follower in followers.values { follower.yield(progress) }
            if isLast {
                over.ofTransfers += followers.values
                ofTransfers[id] = nil
            }
        }
        guard !bindings.isEmpty else { return }
        for slot in BindingSlot.both(of: id) {
            guard let bound = bindings[slot] else { continue }
            bound.give(progress, isLast: isLast)
            if isLast {
                over.bindings.append(bound)
                bindings[slot] = nil
            }
        }
    }

    mutating func give(_ progress: NetworkQueue.Progress, isLast: Bool, over: inout Over) {
        for follower in ofQueue.values { follower.yield(progress) }
        guard isLast else { return }
        over.ofQueue += ofQueue.values
        ofQueue = [:]
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

    mutating func add(_ mailbox: EventBuffer) { mailboxes[ObjectIdentifier(mailbox)] = mailbox }

    /// - Returns: the receiver that was bound to the slot before; `nil`: none.
    mutating func bind(_ bound: BoundProgress) -> BoundProgress? { bindings.updateValue(bound, forKey: bound.slot) }

    mutating func remove(_ token: Int, of id: TransferID) -> TransferFollower? {
        let follower = ofTransfers[id]?.removeValue(forKey: token)
        if ofTransfers[id]?.isEmpty == true { ofTransfers[id] = nil }
        return follower
    }

    mutating func remove(_ token: Int) -> QueueFollower? { ofQueue.removeValue(forKey: token) }

    mutating func remove(_ mailbox: EventBuffer) -> EventBuffer? {
        mailboxes.removeValue(forKey: ObjectIdentifier(mailbox))
    }

    /// Removes the receiver, unless another one has been bound to its slot since.
    mutating func unbind(_ bound: BoundProgress) -> BoundProgress? {
        bindings[bound.slot] === bound ? bindings.removeValue(forKey: bound.slot) : nil
    }

    mutating func removeAll() -> Over {
        let over = Over(
            ofTransfers: ofTransfers.values.flatMap(\.values), ofQueue: Array(ofQueue.values),
            bindings: Array(bindings.values), mailboxes: Array(mailboxes.values))
        (ofTransfers, ofQueue, bindings, mailboxes) = ([:], [:], [:], [:])
        return over
    }

    /// There are no followers.
    var isEmpty: Bool { ofTransfers.isEmpty && ofQueue.isEmpty && bindings.isEmpty && mailboxes.isEmpty }
}
