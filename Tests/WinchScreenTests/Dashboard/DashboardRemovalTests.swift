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

    @Test func `applies to the selected row if it has ended`() {
        var sitting = Sitting(Self.rows)
        #expect(sitting.press("d").isEmpty)
        #expect(sitting.message.contains("Only finished, failed or cancelled rows can be removed"))
        sitting.press("j")
        #expect(sitting.press("d") == ["remove([TransferID(number: 2)])"])
        #expect(sitting.message.contains("1 download removed from list; b undoes it, files are kept"))
    }

    @Test func `applies to all finished rows with D and keeps failed ones`() {
        var sitting = Sitting(Self.rows)
        #expect(sitting.press("D") == ["remove([TransferID(number: 2), TransferID(number: 4)])"])
        #expect(sitting.message.contains("2 finished downloads removed from list"))
        var early = Sitting([.sample(1, "a", .moving)])
        #expect(early.press("D").isEmpty)
        #expect(early.message.contains("Nothing has finished yet"))
    }

    @Test func `is undone with b if rows were removed`() {
        var sitting = Sitting(Self.rows)
        #expect(sitting.press("b").isEmpty)
        #expect(sitting.message.contains("Nothing to restore"))
        sitting.update(Self.rows) { $0.restorable = 3 }
        sitting.wait(5)
        sitting.handle(.tick)
        #expect(sitting.footer.contains("b undo"))
        #expect(sitting.press("b") == ["restore"])
        #expect(sitting.message.contains("3 downloads restored"))
    }
}

@Suite struct `Cancelling a transfer` {
    private static let moving = TransferSnapshot.sample(1, "moving", .moving, have: 10, of: 100)
    private static let checking = TransferSnapshot.sample(2, "checking", .verifying, have: 10, of: 10)

    @Test func `shows how it can be undone`() {
        var sitting = Sitting([Self.moving])
        #expect(sitting.press("c", "y") == ["cancel([TransferID(number: 1)])"])
        #expect(sitting.message.contains("moving cancelled; b undoes it"))
    }

    @Test func `can be undone before the engine has answered`() {
        var sitting = Sitting([Self.moving])
        sitting.press("c", "y")
        #expect(sitting.press("b") == ["restore"])
        #expect(sitting.message.contains("1 download restored"))
        #expect(sitting.press("b") == [], "once")
        #expect(sitting.message.contains("Nothing to restore"))
    }

    @Test func `that is being verified offers no undo`() {
        var sitting = Sitting([Self.checking])
        sitting.press("c", "y")
        #expect(sitting.message.contains("checking cancelled") && !sitting.message.contains("b undoes"))
        var both = Sitting([Self.moving, Self.checking])
        both.press("*", "c", "y")
        #expect(both.message.contains("2 downloads cancelled; b undoes 1 of them"))
    }
}

@Suite struct `Moving rows in the queue` {
    @Test(arguments: ["[", "]", "{", "}"] as [Key])
    func `requires the queue's own order`(key: Key) {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", ">")
        #expect(sitting.press(key).isEmpty)
        #expect(sitting.message.contains("Sorted by name; rows move in the queue's order only (< or >)"))
    }

    @Test func `by one place requires all rows to be shown, to an end does not`() {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", "j", "3")
        #expect(sitting.press("[").isEmpty)
        #expect(sitting.message.contains("Not all rows are shown"))
        #expect(sitting.press("{") == ["shift([TransferID(number: 3)], QueueShift.first)"])
        #expect(sitting.press("}") == ["shift([TransferID(number: 3)], QueueShift.last)"])
    }

    @Test func `has no effect beyond the ends`() {
        var sitting = Sitting(Scenes.many(9))
        #expect(sitting.press("{").isEmpty)
        sitting.press("G")
        #expect(sitting.press("}").isEmpty)
    }
}
