import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Moving several transfers together` {
    @Test(
        arguments: [
            ([2], .earlier, [2, 1, 3, 4, 5, 6]), ([1], .earlier, [1, 2, 3, 4, 5, 6]),
            ([2, 3], .earlier, [2, 3, 1, 4, 5, 6]), ([1, 3], .earlier, [1, 3, 2, 4, 5, 6]),
            ([2, 4, 6], .earlier, [2, 1, 4, 3, 6, 5]), ([5], .later, [1, 2, 3, 4, 6, 5]),
            ([5, 6], .later, [1, 2, 3, 4, 5, 6]), ([2, 3, 6], .later, [1, 4, 2, 3, 5, 6]),
            ([5, 3], .first, [3, 5, 1, 2, 4, 6]), ([1, 2], .first, [1, 2, 3, 4, 5, 6]),
            ([4, 2], .last, [1, 3, 5, 6, 2, 4]), ([9, -1, 2], .last, [1, 3, 4, 5, 6, 2]),
            ([], .first, [1, 2, 3, 4, 5, 6]),
        ] as [([Int], QueueShift, [Int])])
    func `keeps their order among themselves, and the queue starts them in it`(
        numbers: [Int], shift: QueueShift, expected: [Int]
    ) {
        var run = QueueRun { $0.isHeld = true }
        run.add(6)
        run.command(.shift(numbers.map(TransferID.init), shift))
        expectEqual(run.queue.order.map(\.number), expected)
        run.command(.setSlots(6))
        run.command(.resumeAll)
        expectEqual(run.started, expected)
    }
}
