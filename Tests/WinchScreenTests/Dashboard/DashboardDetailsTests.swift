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

@Suite struct `A new URL for a transfer that is typed` {
    /// The typed URL is parsed like a line of a batch file.
    @Test(arguments: [
        ("http://new.example/x", "http://new.example/x"), ("<http://new.example/a b>", "http://new.example/a%20b"),
    ])
    func `e changes the URL, starting from the old one`(typed: String, address: String) {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", "e")
        sitting.update(.details(.full, of: Scenes.busy))
        expect(sitting.footer.contains("URL: "))
        expect(sitting.footer.contains("build=2024-03-19"))
        sitting.press(.control("u"))
        sitting.type(typed)
        let actions = sitting.press(.enter)
        expectEqual(actions.count, 1)
        expectEqual(actions.first?.hasPrefix("setURL(TransferID(number: 3)"), true)
        expectEqual(actions.first?.contains(address), true)
    }

    @Test func `e refuses an invalid URL and changes nothing after Esc`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", "e")
        sitting.update(.details(.full, of: Scenes.busy))
        sitting.press(.control("u"), "x")
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.canvas.text.contains("not a URL"))
        expectEqual(sitting.footer, " URL: x", "what was typed stays")
        expect(sitting.press(.escape).filter { !$0.hasPrefix("watch") }.isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
    }
}
