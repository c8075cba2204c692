@testable import WinchCore

/// Everything that ever happened to a queue. Asked for the sums, it works them out from the very beginning, by
/// PROGRESS's tables and from the events alone: slow, and with nothing kept that could drift.
///
/// Which transfer starts, stops, or is tried again is the queue's to decide and is written down as it was decided; what that
/// does to the figures is worked out here.
struct Chronicle {
    private struct Step {
        var event: QueueEvent
        var actions: [QueueAction]
        /// Transfers that the queue gave up, and why.
        var failures: [(id: TransferID, failure: TransferFailure)]
    }

    private var steps: [Step] = []

    /// Notes a step; the queue's feed has not been emptied yet.
    mutating func note(_ event: QueueEvent, _ actions: [QueueAction], _ queue: TransferQueue) {
        var failures: [(id: TransferID, failure: TransferFailure)] = []
        for told in queue.feed.events {
            if case .failed(let failure) = told.kind, let id = told.id { failures.append((id, failure)) }
        }
        steps.append(Step(event: event, actions: actions, failures: failures))
    }

    /// - Returns: where the queue differs, or `nil`.
    func compare(with queue: TransferQueue) -> String? {
        var replay = Replay(keepsCancelledParts: queue.settings.undoSpan > .zero)
        for step in steps {
            replay.take(step.event, isGivenUp: { id in step.failures.contains { $0.id == id } })
            replay.take(step.failures)
            for action in step.actions { replay.take(action) }
        }
        for direction in Direction.allCases {
            var sums = (completed: Int128(0), total: Int128(0))
            for account in replay.accounts where account.direction == direction {
                let share = account.share(guess: replay.guess(direction))
                sums.completed += Int128(share.completed)
                sums.total += Int128(share.total)
            }
            let book = (Int64(clamping: sums.completed), Int64(clamping: sums.total))
            let kept = (queue[direction].completed, queue[direction].total)
            if book != kept { return "2: \(direction) \(kept), by the book \(book)\(replay.differences(from: queue))" }
        }
        let differences = replay.differences(from: queue)
        return differences.isEmpty ? nil : "7:" + differences
    }
}

/// The accounts of a queue, as one walk over its history leaves them.
private struct Replay {
    var accounts: [Account] = []
    private var asked: Set<TransferID> = []
    private let keepsCancelledParts: Bool
    private var undos: [Undo] = []

    /// What may come back.
    private enum Undo {
        /// Which accounts, and as what.
        case removal([(index: Int, stage: Account.Stage)])
        /// Which accounts, if they were not tried again since they were cancelled for this time.
        case cancellation([(index: Int, time: Int)])
    }

    init(keepsCancelledParts: Bool) {
        self.keepsCancelledParts = keepsCancelledParts
    }

    /// The lower median of all sizes known now, sorted anew.
    private var estimate: Int64 {
        let downloads = accounts.filter { $0.stage != .removed && $0.direction == .down }
        let known = downloads.compactMap(\.size).sorted()
        return known.isEmpty ? 16_384 : known[(known.count - 1) / 2]
    }

    /// Uploads name their sizes: there is nothing to learn from others.
    func guess(_ direction: Direction) -> Int64 { direction == .down ? estimate : 16_384 }

    private func index(_ id: TransferID) -> Int? {
        let index = id.number &- 1
        return accounts.indices.contains(index) && accounts[index].stage != .removed ? index : nil
    }

    func differences(from queue: TransferQueue) -> String {
        var text = ""
        for (index, account) in accounts.enumerated() where account.stage != .removed {
            let have = queue[TransferID(index + 1)]?.have.bytes
            let size = queue[TransferID(index + 1)]?.size.known?.bytes
            if have != account.have || size != account.size {
                text += " #\(index + 1): \(have ?? -1)/\(size ?? -1), by the book \(account.have)/\(account.size ?? -1)"
            }
        }
        return text
    }

    mutating func take(_ event: QueueEvent, isGivenUp: (TransferID) -> Bool) {
        switch event {
        case .added(let additions):
            for addition in additions { accounts.append(Account(addition, estimate: estimate)) }
        case .command(.cancel(let ids)):
            let cancelled = ids.compactMap { cancel($0) }
            if !cancelled.isEmpty { undos = (undos + [.cancellation(cancelled)]).suffix(8) }
        case .command(.retry(let ids)):
            for case let index? in ids.map(index) where accounts[index].stage == .failed { revive(index) }
            for case let index? in ids.map(index) where accounts[index].stage == .cancelled { revive(index) }
        case .command(.retryFailed):
            for index in accounts.indices where accounts[index].stage == .failed { revive(index) }
        case .command(.setURL(let id, _)):
            if let index = index(id), accounts[index].stage == .failed, accounts[index].direction == .down {
                revive(index)
            }
        case .command(.remove(let ids)):
            var batch: [(index: Int, stage: Account.Stage)] = []
            for case let index? in ids.map(index) where accounts[index].isSettled && accounts[index].closing == nil {
                batch.append((index, accounts[index].stage))
                if accounts[index].stage == .cancelled { accounts[index].kept = nil }
                accounts[index].stage = .removed
            }
            if !batch.isEmpty { undos = (undos + [.removal(batch)]).suffix(8) }
        case .command(.restore):
            restore()
        case .report(let report):
            if case .probed(let size) = report.event {
                takeSize(size, of: report.id)
            } else if let index = index(report.id), isBelievable(report.event) {
                take(report, index, isGivenUp: isGivenUp(report.id))
            }
        case .command, .space, .recalled, .woke, .tick: break
        }
    }

    private mutating func revive(_ index: Int) { accounts[index].revive(estimate: estimate) }

    private mutating func restore() {
        while let undo = undos.popLast() {
            switch undo {
            case .removal(let batch):
                for (index, stage) in batch { accounts[index].stage = stage }
                return
            case .cancellation(let cancelled):
                let left = cancelled.filter { index, time in
                    accounts[index].stage == .cancelled && accounts[index].timesCancelled == time
                }
                for (index, _) in left { revive(index) }
                if !left.isEmpty { return }
            }
        }
    }

    /// - Returns: what undoes it.
    private mutating func cancel(_ id: TransferID) -> (index: Int, time: Int)? {
        guard let index = index(id) else { return nil }
        switch accounts[index].stage {
        case .idle where isCancelUndoable(index), .running where isCancelUndoable(index):
            if accounts[index].isRunning { accounts[index].wasOpen = accounts[index].isOpen }
            accounts[index].stage = .cancelled
            accounts[index].timesCancelled += 1
            return (index, accounts[index].timesCancelled)
        case .idle, .running, .failed: settleCancelled(index)
        case .verifying: accounts[index].isCancelling = true
        case .finished, .cancelled, .removed: break
        }
        return nil
    }

    private func isCancelUndoable(_ index: Int) -> Bool { keepsCancelledParts && accounts[index].direction == .down }

    private mutating func settleCancelled(_ index: Int) {
        accounts[index].stage = .cancelled
        accounts[index].timesCancelled += 1
        accounts[index].isCancelling = false
        accounts[index].kept = nil
        accounts[index].closing?.keeps = false
    }

    private mutating func takeSize(_ size: ByteCount?, of id: TransferID) {
        guard asked.remove(id) != nil, let index = index(id), !accounts[index].isSettled else { return }
        if let size = size?.bytes, size >= 0 {
            if size >= accounts[index].have { accounts[index].learn(size, confidence: 1) }
        } else if accounts[index].size == nil {
            accounts[index].forgetSize(estimate: max(estimate, accounts[index].have))
        }
    }

    /// No count is below nothing.
    private func isBelievable(_ event: TransportEvent) -> Bool {
        let counts: [ByteCount?]
        switch event {
        case .opened(let opening): counts = [opening.offset, opening.total]
        case .moved(let count), .durable(let count), .outgrown(let count), .bodyEnded(let count),
            .finished(_, let count):
            counts = [count]
        case .sent(let count, let size): counts = [count, size]
        case .verified(let count, let size): counts = [count, size]
        case .failed(_, _, let kept), .stopped(let kept): counts = [kept?.have, kept?.total]
        case .requested, .connected, .demanded, .redirected, .unsent, .warned, .probed: counts = []
        }
        return counts.allSatisfy { $0 ?? .zero >= .zero }
    }
}

extension Replay {
    private mutating func take(_ report: TransportReport, _ index: Int, isGivenUp: Bool) {
        if let closing = accounts[index].closing, closing.stamp == report.stamp {
            takeAnswer(report.event, to: closing, index)
        } else if accounts[index].stamp == report.stamp, accounts[index].isRunning {
            if accounts[index].direction == .up {
                takeOutgoing(report.event, index)
            } else {
                takeIncoming(report.event, index)
            }
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        } else if accounts[index].stamp == report.stamp, accounts[index].stage == .verifying {
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        }
    }

    private mutating func takeIncoming(_ event: TransportEvent, _ index: Int) {
        let have = accounts[index].have
        switch event {
        case .opened(let opening) where !accounts[index].isOpen:
            let guess = estimate
            accounts[index].stage = .running(opened: true)
            accounts[index].kept = opening.offset.bytes
            if let total = opening.total?.bytes {
                accounts[index].learn(total, confidence: 2)
            } else if opening.startedOver != nil, accounts[index].size != nil {
                accounts[index].forgetSize(estimate: guess)
            }
            accounts[index].begin(at: opening.offset.bytes)
        case .moved(let new) where accounts[index].isOpen && new.bytes > have: accounts[index].write(upTo: new.bytes)
        case .outgrown(let new) where accounts[index].isOpen && new.bytes >= have:
            accounts[index].overrun(to: new.bytes)
        case .bodyEnded(let size):
            accounts[index].end(at: size.bytes)
            accounts[index].stage = .verifying
        default: break
        }
    }

    private mutating func takeOutgoing(_ event: TransportEvent, _ index: Int) {
        let (have, isOpen) = (accounts[index].have, accounts[index].isOpen)
        switch event {
        case .sent(let new, let size) where !accounts[index].isReplying:
            guard new.bytes > have || !isOpen && new.bytes == have else { return }
            accounts[index].stage = .running(opened: true)
            if let size { accounts[index].learn(size.bytes, confidence: 2) }
            accounts[index].write(upTo: new.bytes)
        case .unsent where isOpen:
            accounts[index].isReplying = false
            accounts[index].lose(downTo: 0)
        case .bodyEnded(let size) where !accounts[index].isReplying:
            accounts[index].end(at: size.bytes)
            accounts[index].stage = .running(opened: true)
            accounts[index].isReplying = true
        default: break
        }
    }

    /// What ends an attempt.
    private mutating func takeEnd(_ event: TransportEvent, _ index: Int, isGivenUp: Bool) {
        switch event {
        case .finished(_, let size): finish(index, size)
        case .failed(let failure, _, let part):
            accounts[index].stage = isGivenUp ? .failed : .idle
            accounts[index].isReplying = false
            if !isGivenUp { accounts[index].doubt() }
            accounts[index].kept = part?.have.bytes
            if case .checksum = failure, isGivenUp, accounts[index].isWhollyWrong { break }
            keep(part, index)
        default: break
        }
    }

    private mutating func takeAnswer(_ event: TransportEvent, to closing: Account.Closing, _ index: Int) {
        switch event {
        case .finished(_, let size): finish(index, size)
        case .stopped(let part), .failed(_, _, let part):
            accounts[index].closing = nil
            if closing.keeps, part != nil || closing.hadOpened { keep(part, index) }
            if accounts[index].isCancelling { settleCancelled(index) }
        default: break
        }
    }

    private mutating func finish(_ index: Int, _ size: ByteCount) {
        accounts[index].end(at: size.bytes)
        accounts[index].stage = .finished
        accounts[index].closing = nil
        (accounts[index].isCancelling, accounts[index].isReplying) = (false, false)
    }

    private mutating func keep(_ part: ResumePoint?, _ index: Int) {
        accounts[index].kept = part?.have.bytes
        accounts[index].lose(downTo: part?.have.bytes ?? 0)
    }

    /// Given up without a report: over its time, or stopped because another failed.
    mutating func take(_ failures: [(id: TransferID, failure: TransferFailure)]) {
        for (id, failure) in failures {
            guard let index = index(id), accounts[index].stage != .failed else { continue }
            if accounts[index].isRunning { accounts[index].wasOpen = accounts[index].isOpen }
            accounts[index].stage = .failed
            if case .timeLimit = failure { accounts[index].lose(downTo: accounts[index].kept ?? 0) }
        }
    }

    mutating func take(_ action: QueueAction) {
        switch action {
        case .start(let request):
            guard let index = index(request.id) else { return }
            accounts[index].begin(guess: guess(accounts[index].direction))
            accounts[index].stage = .running(opened: false)
            accounts[index].stamp = request.stamp
        case .stop(let id, let stamp, let isDiscarding):
            guard let index = index(id) else { return }
            let hadOpened = accounts[index].wasOpen ?? accounts[index].isOpen
            accounts[index].wasOpen = nil
            accounts[index].isReplying = false
            accounts[index].closing = Account.Closing(stamp: stamp, hadOpened: hadOpened, keeps: !isDiscarding)
            if accounts[index].isRunning { accounts[index].stage = .idle }
        case .probe(let request): asked.insert(request.id)
        case .stopProbe(let id): asked.remove(id)
        case .discard(let id, _, _, _):
            // The queue has one reason more to forget a part: the time to undo a cancel is over.
            if let index = index(id), accounts[index].stage == .cancelled { accounts[index].kept = nil }
        case .limit, .askSpace, .recall, .trust, .unlock, .shutDown: break
        }
    }
}
