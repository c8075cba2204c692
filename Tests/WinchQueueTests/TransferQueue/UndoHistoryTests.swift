import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The undo history` {
    private func removal(_ numbers: Int...) -> Undo {
        .removal(
            numbers.map {
                TransferState(id: TransferID($0), spec: .sample(), resume: nil, estimate: .zero, isPaused: false)
            })
    }

    private func cancellation(_ numbers: Int...) -> Undo {
        .cancellation(numbers.map { Undo.Cancelled(connection: .sample($0), wasPaused: false) })
    }

    private func restorable(_ history: inout UndoHistory, isCancelled: Bool = true) -> Int {
        history.recount { _ in isCancelled }
        return history.restorableCount
    }

    @Test func `restores the last command first`() {
        var history = UndoHistory()
        history.remember(removal(1, 2))
        history.remember(cancellation(3))
        expectEqual(restorable(&history), 1)
        _ = history.takeLast()
        expectEqual(restorable(&history), 2)
        expectEqual(history.removed, [TransferID(1), TransferID(2)])
    }

    @Test func `skips cancels that can no longer be undone`() {
        var history = UndoHistory()
        history.remember(removal(1, 2))
        history.remember(cancellation(3))
        expectEqual(restorable(&history, isCancelled: false), 2)
    }

    @Test func `drops the oldest entries`() {
        var history = UndoHistory()
        for number in 0...UndoHistory.most { history.remember(removal(number + 1)) }
        expect(history.removed.first == TransferID(2) && history.removed.count == UndoHistory.most)
    }
}
