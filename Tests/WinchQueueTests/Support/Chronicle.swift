@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// All events of a queue so far. Computes the sums from the very beginning, by PROGRESS's tables and from the events
/// alone: slow, but without stored state that could drift.
///
/// Which transfer starts, stops or is retried is the queue's decision and is recorded; its effect on the figures is
/// computed here.
struct Chronicle {
    private struct Step {
        var event: QueueEvent
        var actions: [QueueAction]
        /// Transfers that failed.
        var failures: [TransferID]
        /// Transfers that finished.
        var finished: [TransferID]
        /// In the queue afterwards, those that were removed included.
        var rowCount: Int
        /// By another of the same batch.
        var isFollowed = false
    }

    private var steps: [Step] = []

    /// Records a step; the queue's feed has not been emptied yet.
    mutating func note(_ event: QueueEvent, _ actions: [QueueAction], _ queue: TransferQueue) {
        var (failures, finished): ([TransferID], [TransferID]) = ([], [])
        for reported in queue.feed.events {
            if case .failed = reported.kind, let id = reported.id { failures.append(id) }
            if case .finished = reported.kind, let id = reported.id { finished.append(id) }
        }
        steps.append(
            Step(
                event: event, actions: actions, failures: failures, finished: finished,
                rowCount: queue.rows.count))
    }

    /// Records reports that were taken at once.
    mutating func note(_ reports: [TransportReport], _ actions: [QueueAction], _ queue: TransferQueue) {
        for (index, report) in reports.enumerated() {
            note(.report(report), index == reports.count - 1 ? actions : [], queue)
            // What the queue gave up itself is told once, behind all of them.
            if index < reports.count - 1 { steps[steps.count - 1].isFollowed = true }
        }
    }

    /// - Returns: where the queue differs, or `nil`.
    func compare(with queue: TransferQueue) -> String? {
        var replay = ChronicleReplay(keepsCancelledParts: queue.settings.undoSpan > .zero)
        for step in steps {
            replay.take(step.event, isGivenUp: { step.failures.contains($0) })
            if case .admitted(let admitted, let connection, _) = step.event {
                replay.take(
                    admitted, by: connection.transfer, joining: step.rowCount - replay.transfers.count,
                    isFinished: step.finished.contains(connection.transfer))
            }
            if !step.isFollowed { replay.take(step.failures) }
            for action in step.actions { replay.take(action) }
        }
        for direction in Direction.allCases {
            var sums = (completed: Int128(0), total: Int128(0))
            for transfer in replay.transfers where transfer.direction == direction {
                let share = transfer.share(guess: replay.guess(direction))
                sums.completed += Int128(share.completed)
                sums.total += Int128(share.total)
            }
            let book = (Int64(clamping: sums.completed), Int64(clamping: sums.total))
            let kept = (queue.sums[direction].completed, queue.sums[direction].total)
            if book != kept { return "2: \(direction) \(kept), by the book \(book)\(replay.differences(from: queue))" }
        }
        let differences = replay.differences(from: queue)
        return differences.isEmpty ? nil : "7:" + differences
    }
}
