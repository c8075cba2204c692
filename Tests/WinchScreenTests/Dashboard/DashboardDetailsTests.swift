import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A key that needs the details` {
    @Test(arguments: [("o", "open /home/me/haul"), ("y", "copy \(TransferDetails.full.url)")] as [(Key, String)])
    func `is executed as soon as they are known`(key: Key, action: String) {
        var sitting = Sitting(Scenes.busy)
        expectEqual(sitting.press("j", "j", key), ["watch(Optional(TransferID(number: 3)), by: 0)"])
        expectEqual(sitting.update(.details(.full, of: Scenes.busy)), [action, "watch(nil, by: 0)"])
    }

    @Test func `o opens a folder that is given relative to the current one`() {
        var details = TransferDetails.full
        details.folder = "."
        var sitting = Sitting(Scenes.busy)
        sitting.dashboard.workingFolder = WorkingFolder("/home/me")
        sitting.press("j", "j", "o")
        expectEqual(sitting.update(.details(details, of: Scenes.busy)).first, "open /home/me")
        expect(sitting.message.contains("Opening /home/me"))
    }

    @Test func `is executed at once when they are loaded`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", .enter)
        sitting.update(.details(.full, of: Scenes.busy))
        expectEqual(sitting.press("y"), ["copy \(TransferDetails.full.url)"])
        expect(sitting.canvas.text.contains("Copied https://mirror.example.org"))
    }
}
