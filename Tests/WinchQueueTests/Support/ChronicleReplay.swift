@testable import WinchModel
@testable import WinchQueue

/// The accounts of a queue after a single pass over its history.
struct ChronicleReplay {
    var accounts: [Account] = []
    var asked: Set<TransferID> = []
    private let keepsCancelledParts: Bool
    private var undos: [Undo] = []

    /// What can be restored.
    private enum Undo {
        /// The accounts and their places.
        case removal([(index: Int, stage: Account.Stage)])
        /// The accounts and the number of their cancel: those retried since then are not restored.
        case cancellation([(index: Int, time: Int)])
    }

    init(keepsCancelledParts: Bool) {
        self.keepsCancelledParts = keepsCancelledParts
    }

    /// The lower median of all sizes known now, sorted anew.
    var estimate: Int64 {
        let downloads = accounts.filter { $0.stage != .removed && $0.direction == .down }
        let known = downloads.compactMap(\.size).sorted()
        return known.isEmpty ? 16_384 : known[(known.count - 1) / 2]
    }

    /// Uploads declare their sizes: nothing has to be estimated.
    func guess(_ direction: Direction) -> Int64 { direction == .down ? estimate : 16_384 }

    func index(_ id: TransferID) -> Int? {
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
        case .command, .reading, .space, .recalled, .woke, .tick: break
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

    mutating func settleCancelled(_ index: Int) {
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

    private static func lowest(_ ranges: ByteRanges) -> ByteCount {
        ByteCount(bytes: ranges.ranges.first?.lowerBound ?? 0)
    }

    /// No count is below nothing.
    private func isBelievable(_ event: TransportEvent) -> Bool {
        let counts: [ByteCount?]
        switch event {
        case .opened(let opening): counts = [opening.offset, opening.total, Self.lowest(opening.part.onDisk)]
        case .moved(let position): counts = [ByteCount(bytes: position)]
        case .durable(let ranges): counts = [Self.lowest(ranges)]
        case .bodyEnded(let count), .finished(_, let count), .listed(_, let count, _): counts = [count]
        case .sent(let count, let size): counts = [count, size]
        case .verified(let count, let size): counts = [count, size]
        case .failed(_, _, let kept), .stopped(let kept): counts = [kept.map { Self.lowest($0.onDisk) }, kept?.total]
        case .requested, .connected, .demanded, .mirrors, .redirected, .unsent, .warned, .probed, .joined, .pieceEnded,
            .rangeRefused:
            counts = []
        }
        return counts.allSatisfy { $0 ?? .zero >= .zero }
    }
}
