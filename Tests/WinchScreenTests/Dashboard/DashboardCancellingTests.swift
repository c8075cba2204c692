import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Cancelling a transfer` {
    private static let moving = TransferSnapshot.sample(1, "moving", .moving, have: 10, of: 100)
    private static let checking = TransferSnapshot.sample(2, "checking", .verifying, have: 10, of: 10)

    @Test func `can be undone before the engine has answered`() {
        var sitting = Sitting([Self.moving])
        expectEqual(sitting.press("c", "y"), ["cancel([TransferID(number: 1)])"])
        expect(sitting.message.contains("moving cancelled; b undoes it"))
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download restored"))
        expectEqual(sitting.press("b"), [], "once")
        expect(sitting.message.contains("Nothing to restore"))
    }

    @Test func `starts again from zero once its partial file is deleted, and says so`() {
        var row = Self.moving
        var sitting = Sitting([row])
        sitting.press("c", "y")
        row.phase = .cancelled
        sitting.update([row]) { $0.restorable = 1 }
        sitting.wait(12)
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download starts again from 0"))
        expect(!sitting.message.contains("restored"))
    }

    @Test func `starts again from zero also when a later one was undone before`() {
        var rows = [Self.moving, .sample(3, "later", .moving, have: 10, of: 100)]
        var sitting = Sitting(rows)
        for index in rows.indices {
            sitting.press("g")
            if index > 0 { sitting.press("j") }
            sitting.press("c", "y")
            rows[index].phase = .cancelled
            sitting.update(rows) { $0.restorable = 1 }
            sitting.wait(12)
        }
        expectEqual(sitting.press("b"), ["restore"])
        rows[1].phase = .moving
        sitting.update(rows) { $0.restorable = 1 }
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download starts again from 0"))
    }

    @Test func `that is being verified offers no undo`() {
        var sitting = Sitting([Self.checking])
        sitting.press("c", "y")
        expect(sitting.message.contains("checking cancelled") && !sitting.message.contains("b undoes"))
        var both = Sitting([Self.moving, Self.checking])
        expectEqual(both.press("*", "c", "y"), ["cancel([TransferID(number: 1), TransferID(number: 2)])"])
        expect(both.message.contains("2 downloads cancelled; b undoes 1 of them"))
    }
}
