import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A key that needs the details` {
    private func answered(_ key: Key) -> [String] {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j")
        #expect(sitting.press(key) == ["watch(Optional(TransferID(number: 3)), by: 0)"])
        return sitting.update(.details(.full, of: Scenes.busy))
    }

    @Test func `o opens the folder as soon as it is known`() {
        #expect(answered("o") == ["open /home/me/haul", "watch(nil, by: 0)"])
    }

    @Test func `o opens a folder that is given relative to the current one`() {
        var details = TransferDetails.full
        details.folder = "."
        var sitting = Sitting(Scenes.busy)
        sitting.dashboard.workingFolder = WorkingFolder("/home/me")
        sitting.press("j", "j", "o")
        #expect(sitting.update(.details(details, of: Scenes.busy)).first == "open /home/me")
        #expect(sitting.message.contains("Opening /home/me"))
    }

    @Test func `y copies the URL`() {
        #expect(answered("y") == ["copy \(TransferDetails.full.url)", "watch(nil, by: 0)"])
    }

    @Test func `is executed at once when they are loaded`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", .enter)
        sitting.update(.details(.full, of: Scenes.busy))
        #expect(sitting.press("y") == ["copy \(TransferDetails.full.url)"])
        #expect(sitting.canvas.text.contains("Copied https://mirror.example.org"))
    }

    @Test(arguments: ["o", "y", "e", .enter] as [Key])
    func `shows a message when there is no transfer`(key: Key) {
        var sitting = Sitting()
        #expect(sitting.press(key).isEmpty)
        #expect(sitting.message.contains("No downloads yet"))
    }
}
