@testable import WinchModel
@testable import WinchQueue

/// The transfers of a queue after a single pass over its history.
struct ChronicleReplay {
    var transfers: [ExpectedTransfer] = []
    var asked: Set<TransferID> = []
    private let keepsCancelledParts: Bool
    private var undos: [Undo] = []
    /// Removed while their connections were closing.
    private var leaving: Set<Int> = []

    /// What can be restored.
    private enum Undo {
        /// The transfers and their places.
        case removal([(index: Int, stage: ExpectedTransfer.Stage)])
        /// The transfers and the number of their cancel: those retried since then are not restored.
        case cancellation([(index: Int, time: Int)])
    }

    init(keepsCancelledParts: Bool) {
        self.keepsCancelledParts = keepsCancelledParts
    }

    /// The lower median of all sizes known now, sorted anew.
    var estimate: Int64 {
        let downloads = transfers.filter { $0.stage != .removed && $0.direction == .down && !$0.isListing }
        let known = downloads.compactMap(\.size).sorted()
        return known.isEmpty ? 16_384 : known[(known.count - 1) / 2]
    }

    /// Uploads declare their sizes: nothing has to be estimated.
    func guess(_ direction: Direction) -> Int64 { direction == .down ? estimate : 16_384 }

    func index(_ id: TransferID) -> Int? {
        let index = id.number &- 1
        return transfers.indices.contains(index) && transfers[index].stage != .removed ? index : nil
    }

    func differences(from queue: TransferQueue) -> String {
        var text = ""
        for (index, transfer) in transfers.enumerated() where transfer.stage != .removed {
            let have = queue[TransferID(index + 1)]?.have.bytes
            let size = queue[TransferID(index + 1)]?.size.known?.bytes
            if have != transfer.have || size != transfer.size {
                text += " #\(index + 1): \(have ?? -1)/\(size ?? -1), expected \(transfer.have)/\(transfer.size ?? -1)"
            }
        }
        return text
    }

    mutating func take(_ event: QueueEvent, isGivenUp: (TransferID) -> Bool) {
        switch event {
        case .added(let additions):
            for addition in additions { transfers.append(ExpectedTransfer(addition, estimate: estimate)) }
        case .command(.cancel(let ids)):
            let cancelled = ids.compactMap { cancel($0) }
            if !cancelled.isEmpty { undos = (undos + [.cancellation(cancelled)]).suffix(8) }
        case .command(.pause(let ids)):
            for case let index? in ids.map(index) { stopWaiting(index) }
        case .command(.pauseAll):
            for index in transfers.indices { stopWaiting(index) }
        case .command(.retry(let ids)):
            for case let index? in ids.map(index) where transfers[index].stage == .failed { revive(index) }
            for case let index? in ids.map(index) where transfers[index].stage == .cancelled { revive(index) }
        case .command(.retryFailed):
            for index in transfers.indices where transfers[index].stage == .failed { revive(index) }
        case .command(.setURL(let id, _)):
            if let index = index(id), transfers[index].stage == .failed, transfers[index].direction == .down {
                revive(index)
            }
        case .command(.remove(let ids)):
            let settled = ids.compactMap(index).filter { transfers[$0].isSettled }
            leaving.formUnion(settled.filter { transfers[$0].closing != nil })
            remove(settled.filter { transfers[$0].closing == nil })
        case .command(.restore):
            restore()
        case .reports(let reports):
            for report in reports { take(report, isGivenUp: isGivenUp(report.id)) }
        case .command, .named, .takenOver, .reading, .space, .admitted, .recalled, .woke, .tick: break
        }
    }

    private mutating func take(_ report: TransportReport, isGivenUp: Bool) {
        if case .probed(let size) = report.event {
            takeSize(size, of: report.id)
        } else if let index = index(report.id), isBelievable(report.event) {
            take(report, index, isGivenUp: isGivenUp)
            if transfers[index].closing == nil, leaving.remove(index) != nil, transfers[index].isSettled {
                remove([index])
            }
        }
    }

    /// It is paused while what it has named is let in.
    private mutating func stopWaiting(_ index: Int) {
        if transfers[index].awaitsEntries { transfers[index].stage = .idle }
        transfers[index].listed = nil
    }

    private mutating func revive(_ index: Int) {
        leaving.remove(index)
        transfers[index].revive(estimate: estimate)
    }

    private mutating func remove(_ indices: [Int]) {
        var batch: [(index: Int, stage: ExpectedTransfer.Stage)] = []
        for index in indices where transfers[index].stage != .removed {
            batch.append((index, transfers[index].stage))
            if transfers[index].stage == .cancelled { transfers[index].kept = nil }
            transfers[index].stage = .removed
        }
        if !batch.isEmpty { undos = (undos + [.removal(batch)]).suffix(8) }
    }

    private mutating func restore() {
        while let undo = undos.popLast() {
            switch undo {
            case .removal(let batch):
                for (index, stage) in batch { transfers[index].stage = stage }
                return
            case .cancellation(let cancelled):
                let left = cancelled.filter { index, time in
                    transfers[index].stage == .cancelled && transfers[index].timesCancelled == time
                }
                for (index, _) in left { revive(index) }
                if !left.isEmpty { return }
            }
        }
    }

    /// - Returns: what undoes it.
    private mutating func cancel(_ id: TransferID) -> (index: Int, time: Int)? {
        guard let index = index(id) else { return nil }
        switch transfers[index].stage {
        case .idle where isCancelUndoable(index), .running where isCancelUndoable(index):
            if transfers[index].isRunning { transfers[index].wasOpen = transfers[index].isOpen }
            transfers[index].stage = .cancelled
            transfers[index].timesCancelled += 1
            return (index, transfers[index].timesCancelled)
        case .idle, .running, .failed: settleCancelled(index)
        case .verifying where transfers[index].awaitsEntries: settleCancelled(index)
        case .verifying: transfers[index].isCancelling = true
        case .finished, .cancelled, .removed: break
        }
        return nil
    }

    private func isCancelUndoable(_ index: Int) -> Bool { keepsCancelledParts && transfers[index].direction == .down }

    mutating func settleCancelled(_ index: Int) {
        transfers[index].stage = .cancelled
        transfers[index].listed = nil
        transfers[index].timesCancelled += 1
        transfers[index].isCancelling = false
        transfers[index].kept = nil
        transfers[index].closing?.keeps = false
    }

    private mutating func takeSize(_ size: ByteCount?, of id: TransferID) {
        guard asked.remove(id) != nil, let index = index(id), !transfers[index].isSettled else { return }
        if let size = size?.bytes, size >= 0 {
            if size >= transfers[index].have { transfers[index].learn(size, confidence: 1) }
        } else if transfers[index].size == nil {
            transfers[index].forgetSize(estimate: max(estimate, transfers[index].have))
        }
    }

    private static func lowest(_ ranges: ByteRanges) -> ByteCount {
        ByteCount(bytes: ranges.ranges.first?.lowerBound ?? 0)
    }

    /// No count is below nothing.
    private func isBelievable(_ event: TransportEvent) -> Bool {
        let counts: [ByteCount?]
        switch event {
        case .opened(let opening): counts = [opening.offset, opening.total, Self.lowest(opening.part.onDisk)]
        case .moved(let bytes, let chunk): counts = [ByteCount(bytes: min(bytes.lowerBound, chunk.lowerBound))]
        case .durable(let ranges): counts = [Self.lowest(ranges)]
        case .bodyEnded(let count), .finished(_, let count), .listed(_, let count, _, _): counts = [count]
        case .sent(let count, let size): counts = [count, size]
        case .verified(let count, let size): counts = [count, size]
        case .failed(_, _, let kept), .stopped(let kept): counts = [kept.map { Self.lowest($0.onDisk) }, kept?.total]
        case .unsent(let count, _): counts = [count]
        case .placed(let point, _): counts = [Self.lowest(point.onDisk)]
        case .requested, .connected, .demanded, .mirrors, .redirected, .replied, .warned, .probed, .ended,
            .wrongPiece, .found:
            counts = []
        }
        return counts.allSatisfy { $0 ?? .zero >= .zero }
    }
}
