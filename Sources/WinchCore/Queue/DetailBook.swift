/// What is kept of each transfer for those who look closer. Nothing until its first attempt; of settled ones only the
/// latest, so that a hundred thousand finished files cost no memory.
struct DetailBook: Sendable {
    struct Record: Sendable {
        var attempts: [AttemptRecord] = []
        var forgotten = 0
        var facts: ConnectionFacts?
        var location: String?
        /// What the latest body must hash to.
        var demands: [DigestDemand] = []
        var seconds: [RateHistory.Second] = []
        fileprivate var meter = SecondMeter()
        fileprivate var measured = ByteCount.zero
        /// Bytes that came in all; never falls.
        fileprivate var moved = ByteCount.zero
    }

    private var records: [TransferID: Record] = [:]
    /// Settled ones with a record, the longest ago first; numbers may be in it twice.
    private var settled: [TransferID] = []
    /// Whose details the face wants.
    var watched: TransferID?
    /// What it was told last.
    var told: TransferDetails?

    /// Attempts kept of one transfer: enough to see a pattern.
    static let mostAttempts = 20
    /// Settled transfers whose records are kept.
    static let mostSettled = 1000

    subscript(id: TransferID) -> Record? { records[id] }

    /// Takes note of what happened to a transfer.
    ///
    /// - Parameters:
    ///   - host: that it talks to.
    ///   - have: bytes on disk after the event.
    mutating func note(_ id: TransferID, _ kind: FeedEvent.Kind, host: String, have: ByteCount, at now: Moment) {
        switch kind {
        case .moved: records[id]?.measure(have, at: now)
        case .started(let number):
            records[id, default: Record()].begin(
                AttemptRecord(number: number, host: host, began: now, from: have, have: have))
        case .headers: records[id]?.goOn(from: have)
        case .redirected(let url): records[id]?.location = url
        case .paused: records[id]?.end(.paused, have: have, at: now)
        case .retrying(_, let failure): records[id]?.end(.failed(failure), have: have, at: now)
        case .awaitingSpace(let folder): records[id]?.end(.failed(.diskFull(folder: folder)), have: have, at: now)
        case .verifying, .replying: records[id]?.end(.complete, have: have, at: now)
        case .finished:
            records[id]?.end(.complete, have: have, at: now)
            settle(id)
        case .failed(let failure):
            records[id]?.end(.failed(failure), have: have, at: now)
            settle(id)
        case .cancelled:
            records[id]?.end(.cancelled, have: have, at: now)
            settle(id)
        // Removed ones may come back as they were.
        case .added, .rebase, .sized, .resumed, .removed, .restored, .queueFinished: break
        }
    }

    /// Takes note of what the transport says of a connection.
    mutating func note(_ id: TransferID, _ facts: ConnectionFacts) { records[id]?.facts = facts }

    mutating func note(_ id: TransferID, _ demands: [DigestDemand]) { records[id]?.demands = demands }

    private mutating func settle(_ id: TransferID) {
        guard records[id] != nil else { return }
        settled.append(id)
        // Trimmed by the half, so that each costs next to nothing.
        guard settled.count > 2 * Self.mostSettled else { return }
        let kept = Set(settled.suffix(Self.mostSettled))
        for old in settled.dropLast(Self.mostSettled) where !kept.contains(old) && !isRunning(old) && old != watched {
            records[old] = nil
        }
        settled = settled.suffix(Self.mostSettled)
    }

    /// Tried again since it was settled.
    private func isRunning(_ id: TransferID) -> Bool { records[id]?.attempts.last?.outcome == .running }
}

extension DetailBook.Record {
    fileprivate mutating func begin(_ attempt: AttemptRecord) {
        attempts.append(attempt)
        if attempts.count > DetailBook.mostAttempts {
            attempts.removeFirst()
            forgotten += 1
        }
        location = nil
        demands = []
        meter.stop()
        measured = attempt.have
    }

    /// The body begins at `have`: what is kept of an earlier attempt is known only now.
    fileprivate mutating func goOn(from have: ByteCount) {
        guard let last = attempts.indices.last, attempts[last].ended == nil else { return }
        (attempts[last].from, attempts[last].have) = (have, have)
        measured = have
    }

    fileprivate mutating func measure(_ have: ByteCount, at now: Moment) {
        if have > measured { moved += have - measured }
        measured = have
        if let last = attempts.indices.last { attempts[last].have = have }
        guard let second = meter.record(moved, at: now) else { return }
        seconds.append(second)
        // Trimmed by the half, as above.
        if seconds.count > 2 * RateHistory.span { seconds.removeFirst(RateHistory.span) }
    }

    /// Closes the open attempt; one whose body was complete may still fail, by its checksum or on the disk.
    fileprivate mutating func end(_ outcome: AttemptRecord.Outcome, have: ByteCount, at now: Moment) {
        meter.stop()
        guard let last = attempts.indices.last else { return }
        let isOpen = attempts[last].ended == nil
        let isUndone = if case .failed = outcome { attempts[last].outcome == .complete } else { false }
        guard isOpen || isUndone else { return }
        attempts[last].ended = now
        attempts[last].outcome = outcome
        // What a failure threw away was brought all the same.
        attempts[last].have = max(attempts[last].have, have)
    }
}
