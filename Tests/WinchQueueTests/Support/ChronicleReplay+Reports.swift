@testable import WinchModel
@testable import WinchQueue

extension ChronicleReplay {
    mutating func take(_ report: TransportReport, _ index: Int, isGivenUp: Bool) {
        if let closing = accounts[index].closing, closing.connection == report.connection {
            takeAnswer(report.event, to: closing, index)
        } else if accounts[index].connection == report.connection, accounts[index].isRunning {
            if accounts[index].direction == .up {
                takeOutgoing(report.event, index)
            } else {
                takeIncoming(report.event, index)
            }
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        } else if accounts[index].connection == report.connection, accounts[index].stage == .verifying {
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        }
    }

    private mutating func takeIncoming(_ event: TransportEvent, _ index: Int) {
        switch event {
        case .opened(let opening) where !accounts[index].isOpen:
            let guess = estimate
            accounts[index].stage = .running(opened: true)
            accounts[index].open(opening.part.onDisk, at: opening.offset.bytes)
            if let total = opening.total?.bytes {
                accounts[index].learn(total, confidence: 2)
            } else if opening.startedOver != nil, accounts[index].size != nil {
                accounts[index].forgetSize(estimate: guess)
            }
            accounts[index].begin(at: accounts[index].bytesKept)
        case .moved(let new) where accounts[index].isOpen && new > accounts[index].position:
            accounts[index].move(through: new)
        case .bodyEnded(let size):
            accounts[index].end(at: size.bytes)
            accounts[index].stage = .verifying
        case .listed(let specs, let size, _) where !accounts[index].isOpen:
            for spec in specs { accounts.append(Account(Addition(spec: spec), estimate: estimate)) }
            finish(index, size)
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
            accounts[index].kept = part?.onDisk
            if case .checksum = failure, isGivenUp, accounts[index].hasUnusablePart { break }
            keep(part, index)
        default: break
        }
    }

    private mutating func takeAnswer(_ event: TransportEvent, to closing: Account.Closing, _ index: Int) {
        switch event {
        case .finished(_, let size): finish(index, size)
        case .listed: takeAnswer(.stopped(kept: nil), to: closing, index)
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
        accounts[index].kept = part?.onDisk
        accounts[index].lose(downTo: accounts[index].bytesKept)
    }

    /// Given up without a report: time limit exceeded, or stopped because another failed.
    mutating func take(_ failures: [(id: TransferID, failure: TransferFailure)]) {
        for (id, failure) in failures {
            guard let index = index(id), accounts[index].stage != .failed else { continue }
            if accounts[index].isRunning { accounts[index].wasOpen = accounts[index].isOpen }
            accounts[index].stage = .failed
            if case .timeLimit = failure { accounts[index].lose(downTo: accounts[index].bytesKept) }
        }
    }

    mutating func take(_ action: QueueAction) {
        switch action {
        case .open(let request):
            guard let index = index(request.transfer) else { return }
            accounts[index].begin(guess: guess(accounts[index].direction))
            accounts[index].stage = .running(opened: false)
            accounts[index].connection = request.connection
        case .close(let id, let isDiscarding):
            guard let index = index(id.transfer) else { return }
            let hadOpened = accounts[index].wasOpen ?? accounts[index].isOpen
            accounts[index].wasOpen = nil
            accounts[index].isReplying = false
            accounts[index].closing = Account.Closing(connection: id, hadOpened: hadOpened, keeps: !isDiscarding)
            if accounts[index].isRunning { accounts[index].stage = .idle }
        case .probe(let request): asked.insert(request.id)
        case .stopProbe(let id): asked.remove(id)
        case .discard(let id, _, _, _):
            // The queue has one more reason to discard a part: the time to undo a cancel is over.
            if let index = index(id), accounts[index].stage == .cancelled { accounts[index].kept = nil }
        case .bound, .limit, .askSpace, .recall, .trust, .unlock, .shutDown: break
        }
    }
}
