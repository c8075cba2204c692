import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `The movement of a row` {
    private let old = TransferSnapshot(id: TransferID(1), name: "a", host: "h", phase: .moving)

    @Test func `brings the row to its new state`() throws {
        var new = old
        (new.have, new.rate) = (ByteCount(bytes: 500), ByteRate(perSecond: 7))
        try expectEqual(require(MotionMessage(from: old, to: new)).applied(to: old), new)
    }

    @Test func `is not enough when anything else has changed`() {
        var new = old
        (new.have, new.phase) = (ByteCount(bytes: 500), .paused)
        expectNil(MotionMessage(from: old, to: new))
    }

    @Test func `of totals is not enough when a count has changed`() throws {
        var (old, new) = (QueueTotals(), QueueTotals())
        (old.count, new.count) = (2, 2)
        new.completed = 5
        try expectEqual(require(TotalsMotion(from: old, to: new)).applied(to: old), new)
        new.count = 3
        expectNil(TotalsMotion(from: old, to: new))
    }

    @Test func `needs a row that was sent and that still moves`() {
        var rows = MovingRows()
        rows.note(old)
        expectEqual(rows[old.id], old)
        var paused = old
        paused.phase = .paused
        rows.note(paused)
        expectNil(rows[old.id])
        rows.note(old)
        rows.remove([old.id])
        expectNil(rows[old.id])
    }
}
