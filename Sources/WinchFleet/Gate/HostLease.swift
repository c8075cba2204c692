import WinchModel

/// What one worker knows of one host: its queue's use, the gate in the bucket, and what it has told its queue.
struct HostLease: Sendable {
    var use: HostUse
    /// As it was stored last, by whichever worker; `nil`: there is none.
    var gate: HostGate?
    var revision: UInt64?
    /// `gate` is current as far as is known.
    var isRead = false
    /// A read or a store is under way.
    var isBusy = false
    /// Stores in a row that another worker came before.
    var conflicts = 0
    /// What a store under way will have stored, and the refusals and requests for a pause of `use` that it takes into account.
    var pending: (gate: HostGate, refusals: Int, pauses: Int)?
    /// Window and refusals of the gate, and since when they are the same.
    private var mark: [Int] = []
    private(set) var changedAt: Moment?
    /// The last share that was told to the queue.
    private(set) var told: HostShare?
    /// The most places of the shares that the queue may still go by.
    private var mostTold = 0
    /// Refusals of `use` that were taken into account.
    var refusals: Int
    /// Requests for a pause of `use` that were taken into account.
    private(set) var pauses: Int
    /// Those of the gate that the queue knows of; `nil`: the gate was not read yet.
    private var knownPauses: Int?
    /// What the queue must still be told.
    private(set) var pauseToTell: Duration?
    /// Answers of `use` when the window or the part of this worker last changed.
    private var answersBefore: Int
    private var partBefore = 0
    /// Since when less is needed than the lease says; `nil`: it is not.
    var needsLessSince: Moment?
    /// When the gate was last read or stored.
    var readAt: Moment?

    init(_ use: HostUse) {
        self.use = use
        (refusals, pauses, answersBefore) = (use.refusals, use.pauses, use.answers)
    }

    /// Connections that the worker could use now.
    var need: Int { use.open + use.waiting }

    /// Connections that the queue has or may open before it hears of anything new.
    var floor: Int { max(use.open, mostTold) }

    /// The queue has reported.
    mutating func take(_ new: HostUse) {
        use = new
        if let told, new.share == told.number { mostTold = told.places }
    }

    /// It must be read before it is changed.
    mutating func forgetGate() { (isRead, isBusy, pending) = (false, false, nil) }

    /// The change is stored, with so many refusals and requests for a pause.
    mutating func endStore(_ refusals: Int, pauses: Int) {
        // This worker's own queue has closed the host already.
        if let known = pending?.gate.pauses, pauses > self.pauses { knownPauses = known }
        (isBusy, pending, conflicts) = (false, nil, 0)
        (self.refusals, self.pauses) = (refusals, pauses)
    }

    mutating func note(_ new: HostGate?, _ revision: UInt64?, part: Int, at now: Moment) {
        (gate, self.revision, isRead, readAt) = (new, revision, true, now)
        let mark = [new?.window ?? 1, new?.refusals ?? 0]
        // One that joins later does not know when the pause began.
        let known = knownPauses ?? new?.pauses ?? 0
        if let new, let pauses = new.pauses, pauses > known { pauseToTell = .seconds(new.pauseSeconds ?? 0) }
        knownPauses = max(known, new?.pauses ?? 0)
        if mark != self.mark || changedAt == nil { (self.mark, changedAt, answersBefore) = (mark, now, use.answers) }
        if part != partBefore { (partBefore, answersBefore) = (part, use.answers) }
    }

    /// The host has let in as many connections as the worker's part has: they are open now, or were since the part and the window
    /// are what they are.
    func isAnswered(_ part: Int) -> Bool {
        part > 0 && (use.accepted >= part || use.answers - answersBefore >= part)
    }

    /// - Returns: `nil`: the queue knows it already.
    mutating func tell(_ places: Int, elsewhere: Int, isEnforced: Bool) -> HostShare? {
        var share = HostShare(
            number: told?.number ?? 0, places: places, elsewhere: elsewhere, refusals: refusals,
            generation: gate?.refusals ?? 0, isEnforced: isEnforced)
        share.pause = pauseToTell
        pauseToTell = nil
        guard share != told else { return nil }
        share.number += 1
        mostTold = max(mostTold, places)
        told = share
        // It is told once.
        told?.pause = nil
        return share
    }
}
