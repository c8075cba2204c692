import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Removing rows from the list` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "moving", .moving, have: 10, of: 100),
        .sample(2, "done", .finished(.saved(path: "x")), have: 5, of: 5),
        .sample(3, "failed", .failed(.httpStatus(500))),
        .sample(4, "skipped", .finished(.skipped(path: "x")), have: 5, of: 5),
    ]

    @Test func `applies to all finished rows with D and keeps failed ones`() {
        var sitting = Sitting(Self.rows)
        expectEqual(sitting.press("D"), ["remove([TransferID(number: 2), TransferID(number: 4)])"])
        expect(sitting.message.contains("2 finished downloads taken off the list"))
        var early = Sitting([.sample(1, "a", .moving)])
        expect(early.press("D").isEmpty)
        expect(early.message.contains("Nothing has finished yet"))
    }

    @Test func `is undone with b if rows were removed`() {
        var sitting = Sitting(Self.rows)
        sitting.update(Self.rows) { $0.restorable = 3 }
        expect(sitting.footer.contains("b undo"))
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("3 transfers restored"))
    }
}
