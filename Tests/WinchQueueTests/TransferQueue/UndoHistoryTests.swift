import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The undo history` {
    private let now = Moment(seconds: 5)

    private func removal(_ numbers: Int...) -> Undo {
        .removal(
            numbers.map {
                TransferState(id: TransferID($0), spec: .sample(), resume: nil, estimate: .zero, isPaused: false)
            })
    }

    private func cancellation(_ numbers: Int...) -> Undo {
        .cancellation(numbers.map { Undo.Cancelled(connection: .sample($0), wasPaused: false) })
    }

    @Test func `restores the last command first`() {
        var history = UndoHistory()
        history.remember(removal(1, 2))
        history.remember(cancellation(3))
        #expect(history.restorable { _ in true } == 1)
        _ = history.takeLast()
        #expect(history.restorable { _ in true } == 2)
        #expect(history.removed == [TransferID(1), TransferID(2)])
    }

    @Test func `skips cancels that can no longer be undone`() {
        var history = UndoHistory()
        history.remember(removal(1, 2))
        history.remember(cancellation(3))
        #expect(history.restorable { _ in false } == 2)
    }

    @Test func `drops the oldest entries`() {
        var history = UndoHistory()
        for number in 0...UndoHistory.most { history.remember(removal(number + 1)) }
        #expect(history.removed.first == TransferID(2) && history.removed.count == UndoHistory.most)
    }

    @Test func `releases parts whose time is over`() {
        var history = UndoHistory()
        for number in 1...3 {
            history.parts.insert(Alarm(at: now + .seconds(number), connection: .sample(number)))
        }
        let due = history.parts.takeDue(at: now + .seconds(1)).map(\.id)
        #expect(due == [TransferID(1)])
        history.parts.dropStale { $0.id != TransferID(2) }
        #expect(history.parts.next == now + .seconds(3))
        let rest = history.parts.takeDue(at: Moment(nanoseconds: .max)).map(\.id)
        #expect(rest == [TransferID(3)] && history.parts.next == nil)
    }
}
