@testable import WinchModel
@testable import WinchQueue

extension ChronicleReplay {
    mutating func take(_ report: TransportReport, _ index: Int, isGivenUp: Bool) {
        if let closing = transfers[index].closing, closing.connection == report.connection {
            takeAnswer(report.event, to: closing, index, isGivenUp: isGivenUp)
        } else if transfers[index].connection == report.connection, transfers[index].isRunning {
            if transfers[index].isListing {
                takeListing(report.event, index)
            } else if transfers[index].direction == .up {
                takeOutgoing(report.event, index)
            } else {
                takeIncoming(report.event, index)
            }
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        } else if transfers[index].connection == report.connection, transfers[index].stage == .verifying,
            !transfers[index].awaitsEntries
        {
            takeEnd(report.event, index, isGivenUp: isGivenUp)
        }
    }

    private mutating func takeIncoming(_ event: TransportEvent, _ index: Int) {
        switch event {
        case .opened(let opening) where !transfers[index].isOpen:
            let guess = estimate
            transfers[index].stage = .running(opened: true)
            transfers[index].open(opening.part.onDisk, at: opening.offset.bytes)
            if let total = opening.total?.bytes {
                transfers[index].learn(total, confidence: 2)
            } else if opening.startedOver != nil, transfers[index].size != nil {
                transfers[index].forgetSize(estimate: guess)
            }
            transfers[index].begin(at: transfers[index].bytesKept)
        case .moved(let bytes, _) where transfers[index].isOpen && bytes.upperBound > transfers[index].position:
            transfers[index].move(bytes)
        case .bodyEnded(let size):
            transfers[index].end(at: size.bytes)
            transfers[index].stage = .verifying
        case .listed(_, let size, _, _) where !transfers[index].isOpen:
            transfers[index].listed = size
            transfers[index].stage = .verifying
        default: break
        }
    }

    private mutating func takeListing(_ event: TransportEvent, _ index: Int) {
        switch event {
        case .found: transfers[index].stage = .running(opened: true)
        case .listed(_, let size, _, _):
            transfers[index].listed = size
            transfers[index].stage = .verifying
        default: break
        }
    }

    private mutating func takeOutgoing(_ event: TransportEvent, _ index: Int) {
        let (have, isOpen) = (transfers[index].have, transfers[index].isOpen)
        switch event {
        case .sent(let new, let size) where !transfers[index].isReplying:
            guard new.bytes > have || !isOpen && new.bytes == have else { return }
            transfers[index].stage = .running(opened: true)
            if let size { transfers[index].learn(size.bytes, confidence: 2) }
            transfers[index].write(upTo: new.bytes)
            transfers[index].keepSent(new.bytes)
        case .unsent(let left, _) where left.bytes <= have:
            transfers[index].isReplying = false
            transfers[index].lose(downTo: left.bytes)
            transfers[index].keepSent(left.bytes)
        case .placed(let point, _) where !transfers[index].isReplying:
            transfers[index].place(point.onDisk, total: point.total?.bytes)
        case .bodyEnded(let size) where !transfers[index].isReplying:
            transfers[index].end(at: size.bytes)
            transfers[index].keepSent(size.bytes)
            transfers[index].stage = .running(opened: true)
            transfers[index].isReplying = true
        default: break
        }
    }

    /// What ends an attempt.
    private mutating func takeEnd(_ event: TransportEvent, _ index: Int, isGivenUp: Bool) {
        switch event {
        case .finished(_, let size) where !transfers[index].isListing: finish(index, size)
        case .failed(let failure, _, let part) where !transfers[index].awaitsEntries:
            transfers[index].stage = isGivenUp ? .failed : .idle
            transfers[index].isReplying = false
            if !isGivenUp { transfers[index].doubt() }
            transfers[index].kept = part?.onDisk
            if case .checksum = failure, isGivenUp, transfers[index].hasUnusablePart { break }
            keep(part, index)
        default: break
        }
    }

    private mutating func takeAnswer(
        _ event: TransportEvent, to closing: ExpectedTransfer.Closing, _ index: Int, isGivenUp: Bool
    ) {
        switch event {
        case .finished(_, let size): finish(index, size)
        case .listed: takeAnswer(.stopped(kept: nil), to: closing, index, isGivenUp: isGivenUp)
        case .stopped(let part), .failed(_, _, let part):
            transfers[index].closing = nil
            if closing.keeps, part != nil || closing.hadOpened { keep(part, index) }
            if transfers[index].isCancelling { settleCancelled(index) }
            // Its time was over, or another had failed, when it was told to close.
            guard isGivenUp, transfers[index].stage == .idle else { return }
            transfers[index].stage = .failed
            transfers[index].lose(downTo: transfers[index].bytesKept)
        default: break
        }
    }

    /// What a listing has named joins the list; whether all of it does is the queue's decision.
    mutating func take(_ admitted: Admitted, by id: TransferID, joining count: Int, isFinished: Bool) {
        for addition in admitted.additions.prefix(max(0, count)) {
            transfers.append(ExpectedTransfer(addition, estimate: estimate))
        }
        if isFinished, let index = index(id), let size = transfers[index].listed { finish(index, size) }
    }

    private mutating func finish(_ index: Int, _ size: ByteCount) {
        transfers[index].end(at: size.bytes)
        transfers[index].stage = .finished
        transfers[index].closing = nil
        transfers[index].listed = nil
        (transfers[index].isCancelling, transfers[index].isReplying) = (false, false)
    }

    private mutating func keep(_ part: ResumePoint?, _ index: Int) {
        transfers[index].kept = part?.onDisk
        transfers[index].lose(downTo: transfers[index].bytesKept)
    }

    /// Given up without a report, while it waited: another failed, or there was no space for too long.
    mutating func take(_ failures: [TransferID]) {
        for case let index? in failures.map(index) {
            transfers[index].stage = .failed
            transfers[index].listed = nil
        }
    }

    mutating func take(_ action: QueueAction) {
        switch action {
        case .open(let request):
            guard let index = index(request.transfer) else { return }
            transfers[index].begin(guess: guess(transfers[index].direction))
            transfers[index].stage = .running(opened: false)
            transfers[index].connection = request.connection
        case .close(let id, let isDiscarding):
            guard let index = index(id.transfer) else { return }
            let hadOpened = transfers[index].wasOpen ?? transfers[index].isOpen
            transfers[index].wasOpen = nil
            transfers[index].isReplying = false
            transfers[index].closing = ExpectedTransfer.Closing(
                connection: id, hadOpened: hadOpened, keeps: !isDiscarding)
            if transfers[index].isRunning { transfers[index].stage = .idle }
        case .probe(let request): asked.insert(request.id)
        case .stopProbe(let id): asked.remove(id)
        case .discard(let id, _, _, _, _):
            // The queue has one more reason to discard a part: the time to undo a cancel is over.
            if let index = index(id), transfers[index].stage == .cancelled { transfers[index].kept = nil }
        case .withdraw(let request):
            if let index = index(request.transfer), transfers[index].stage == .cancelled { transfers[index].kept = nil }
        case .retire, .askNoMore, .proceed, .limit, .askSpace, .admit, .recall, .trust, .unlock, .logIn, .shutDown:
            break
        }
    }
}
