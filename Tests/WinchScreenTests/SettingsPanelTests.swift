import Testing
import WinchCore

@testable import WinchScreen

@Suite struct `The settings panel` {
    private static let list = SettingsList([
        .init(name: "jobs", value: "4", origin: .file(line: 3), description: "Transfers at a time."),
        .init(name: "limit-rate", value: "none", origin: .standard, description: "Bytes a second over all."),
        .init(name: "timeout", value: "30", origin: .environment, description: "Seconds."),
        .init(name: "theme", value: "standard", origin: .flag, description: "Colours."),
        .init(name: "password", value: "(set)", origin: .flag, description: "The login's password."),
    ])

    private func open(columns: Int = 100, lines: Int = 30) -> Sitting {
        var sitting = Sitting()
        sitting.dashboard = Dashboard(
            title: "", look: Look(), columns: columns, rows: lines, settings: Self.list)
        sitting.update(Scenes.busy)
        sitting.press("S")
        return sitting
    }

    private func line(_ sitting: Sitting, _ name: String) -> String? {
        sitting.lines.first { $0.contains(" \(name) ") }
    }

    @Test func `shows every setting with value and origin`() {
        let sitting = open()
        #expect(line(sitting, "jobs")?.contains("< 4 >") == true)
        #expect(line(sitting, "jobs")?.contains("file, line 3") == true)
        #expect(line(sitting, "limit-rate")?.contains("default") == true)
        #expect(line(sitting, "timeout")?.contains("environment") == true)
        #expect(
            line(sitting, "theme")?.contains("dark") == true || line(sitting, "theme")?.contains("standard") == true)
        #expect(line(sitting, "theme")?.contains("command line") == true)
        #expect(line(sitting, "password")?.contains("(set)") == true)
    }

    @Test func `says of the mouse, which is no option, whether it was changed`() {
        var sitting = open()
        #expect(line(sitting, "mouse")?.contains("default") == true)
        sitting.press(.escape, "%", "S")
        #expect(line(sitting, "mouse")?.contains("changed now") == true)
    }

    @Test func `changes what can change, and says where the value is from now`() {
        var sitting = open()
        #expect(sitting.press(.right) == ["setSlots(5)"])
        sitting.update(Scenes.busy) { $0.slots = 5 }
        #expect(line(sitting, "jobs")?.contains("< 5 >") == true)
        #expect(line(sitting, "jobs")?.contains("changed now") == true)
        #expect(sitting.press(.left) == ["setSlots(4)"])
        sitting.press("j", "j")
        #expect(line(sitting, "theme")?.contains("▸") == true)
        sitting.press(" ")
        #expect(sitting.dashboard.look.theme.name == "light")
        sitting.press(.left, .left)
        #expect(sitting.dashboard.look.theme.name == "mono", "it goes round")
    }

    @Test func `says of the others that they hold for the whole run`() {
        var sitting = open()
        sitting.press(.end)
        #expect(sitting.press(.right).isEmpty)
        #expect(sitting.footer.contains("password holds for the whole run"))
        #expect(sitting.press(.enter).isEmpty)
    }

    @Test func `takes a typed value by Enter`() {
        var sitting = open()
        sitting.press("j", .enter)
        #expect(sitting.footer.hasSuffix(":limit"))
        sitting.type("3M")
        #expect(sitting.press(.enter) == [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 3_145_728))).words])
    }

    @Test func `keeps what was typed when it is no value, and has the keys again afterwards`() {
        var sitting = open()
        sitting.press("j", .enter)
        sitting.type("fast")
        #expect(sitting.press(.enter).isEmpty)
        #expect(sitting.footer == " :limit fast")
        #expect(sitting.lines.dropLast().last == " ✗ limit takes a rate such as 500K or 2M, or none, not fast")
        #expect(sitting.canvas.text.contains("Settings"))
        for _ in 0..<4 { sitting.press(.backspace) }
        sitting.type("1M")
        #expect(sitting.press(.enter) == [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 1_048_576))).words])
        #expect(sitting.dashboard.mode == .settings(SettingsView(index: 1)))
        sitting.press(.enter, .escape)
        #expect(sitting.dashboard.mode == .settings(SettingsView(index: 1)))
    }

    @Test func `says of a setting that cannot change why it takes no value`() {
        var sitting = open()
        sitting.press(.end, .enter)
        #expect(sitting.footer.contains("password holds for the whole run"))
    }

    @Test func `tells of the marked one in full, however narrow it is`() {
        var sitting = open(columns: 44, lines: 20)
        #expect(sitting.canvas.text.contains("Transfers at a time."))
        sitting.press("j")
        #expect(sitting.canvas.text.contains("Bytes a second over all."))
    }

    @Test(arguments: ["S", ",", "q", .escape] as [Key])
    func `closes by what opened it and by what leaves`(key: Key) {
        var sitting = open()
        sitting.press(key)
        #expect(sitting.dashboard.mode == .normal)
    }

    @Test func `scrolls in a low window so that the marked one is seen`() {
        var sitting = open(columns: 40, lines: 8)
        for _ in 0..<20 { sitting.press("j") }
        #expect(line(sitting, "password")?.contains("▸") == true)
        sitting.press("g")
        #expect(line(sitting, "jobs")?.contains("▸") == true)
    }

    @Test func `walks the ladder of limits by the arrows`() {
        var sitting = open()
        sitting.press("j")
        #expect(sitting.press(.left) == [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 10_485_760))).words])
        #expect(sitting.press(.right) == ["setRateLimit(nil)"])
    }
}
