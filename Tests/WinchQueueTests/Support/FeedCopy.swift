@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// The state of a program that reads only the feed's events, such as one that reads the JSON lines.
struct FeedCopy {
    private struct Entry {
        var have: ByteCount
        var size: ByteCount?
        var isSettled: Bool
    }

    private var entries: [TransferID: Entry] = [:]
    /// By direction.
    private var sums: [(completed: Int64, total: Int64)] = [(0, 0), (0, 0)]

    mutating func read(_ feed: PendingUpdate) {
        for event in feed.events {
            sums[event.direction.index].completed += event.completed
            sums[event.direction.index].total += event.total
            guard let id = event.id else { continue }
            var entry = entries[id] ?? Entry(have: .zero, isSettled: false)
            (entry.have, entry.size) = (event.have, event.size)
            switch event.kind {
            case .finished, .failed, .cancelled, .restored: entry.isSettled = true
            case .resumed, .started: entry.isSettled = false
            case .reopened(_, _, let standing):
                entry.isSettled = standing != .unfinished && standing != .paused
            case .added, .redirected, .headers, .moved, .rebase, .sized, .warned, .paused, .retrying, .awaitingSpace,
                .connections, .verifying,
                .replying,
                .removed, .queueFinished:
                break
            }
            entries[id] = entry
        }
        for id in feed.removed { entries[id] = nil }
    }

    /// - Returns: where the queue differs, or `nil`.
    func compare(with queue: TransferQueue) -> String? {
        for direction in Direction.allCases
        where sums[direction.index] != (queue.sums[direction].completed, queue.sums[direction].total) {
            return "18: \(direction) \(sums[direction.index])"
        }
        if entries.count != queue.order.count { return "18: \(entries.count) transfers" }
        for transfer in queue.transfers {
            guard let entry = entries[transfer.id] else { return "18: \(transfer.id.number) is missing" }
            if entry.have != transfer.have || entry.size != transfer.size.known
                || entry.isSettled != transfer.isSettled
            {
                return "18: \(entry), is \(transfer.have)/\(transfer.size) \(transfer.phase)"
            }
        }
        return nil
    }
}
