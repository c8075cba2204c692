import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Moving rows in the queue` {
    @Test(arguments: ["[", "]", "{", "}"] as [Key])
    func `requires the queue's own order`(key: Key) {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", ">")
        expect(sitting.press(key).isEmpty)
        expect(sitting.message.contains("Sorted by name; rows move in the queue's order only (< or >)"))
    }

    @Test func `by one place requires all rows to be shown, to an end does not`() {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", "j", "3")
        expect(sitting.press("[").isEmpty)
        expect(sitting.message.contains("Not all rows are shown"))
        expectEqual(sitting.press("{"), ["shift([TransferID(number: 3)], QueueShift.first)"])
        expectEqual(sitting.press("}"), ["shift([TransferID(number: 3)], QueueShift.last)"])
    }
}
