import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchScreen

@Suite struct `The settings panel` {
    private static let list = SettingsList([
        .init(name: "jobs", value: "4", origin: .file(line: 3), description: "Simultaneous downloads."),
        .init(name: "limit-rate", value: "none", origin: .standard, description: "Bytes a second over all."),
        .init(name: "timeout", value: "30", origin: .environment, description: "Seconds."),
        .init(name: "theme", value: "standard", origin: .flag, description: "Colours."),
        .init(name: "password", value: "(set)", origin: .flag, description: "The login's password."),
    ])

    private func open(columns: Int = 100, lines: Int = 30) -> Sitting {
        var sitting = Sitting()
        sitting.dashboard = Dashboard(
            title: "", look: Appearance(), columns: columns, rows: lines, settings: Self.list)
        sitting.update(Scenes.busy)
        sitting.press("S")
        return sitting
    }

    private func line(_ sitting: Sitting, _ name: String) -> String? {
        sitting.lines.first { $0.contains(" \(name) ") }
    }

    @Test func `edits the value itself, which typed text replaces and arrow keys keep`() {
        var sitting = open()
        sitting.press("j", "j", .enter)
        expect(sitting.footer == " theme: standard" || sitting.footer == " theme: dark")
        sitting.type("ocean")
        expectEqual(sitting.footer, " theme: ocean")
        expect(sitting.press(.enter).isEmpty)
        expectEqual(sitting.dashboard.look.theme.name, "ocean")
        expectEqual(line(sitting, "theme")?.contains("changed now"), true)
        sitting.press(.enter, .end, "x")
        expectEqual(sitting.footer, " theme: oceanx")
        sitting.press(.enter)
        expect(sitting.canvas.text.contains("did you mean"))
        sitting.press(.escape)
        expectEqual(sitting.dashboard.mode, .settings(SettingsView(index: 2)))
        sitting.press(.enter, .tab, .enter)
        expectEqual(sitting.dashboard.look.theme.name, "dark", "Tab goes through all values")
    }

    @Test func `saves with W the appearance and preferences, not options of this run`() {
        var sitting = open()
        let words =
            "save jobs=4 limit-rate=none limit-upload=none progress=accurate theme=dark animation=yes ascii=no fps=20 mouse=yes"
        expectEqual(sitting.press("W").first?.hasPrefix(words), true)
        sitting.press(.escape, "t", ">")
        sitting.update(Scenes.busy) { $0.slots = 9 }
        let saved = sitting.press("W").first ?? ""
        for word in ["jobs=9", "theme=light", "sort=name"] { expect(saved.contains(" \(word)")) }
        expect(!saved.contains("exit="))
    }

    @Test func `does not show a session's settings as changed, and does not save them as the user's`() {
        var sitting = Sitting()
        sitting.dashboard = Dashboard(
            title: "", look: Appearance(), columns: 100, rows: 30,
            settings: SettingsList([.init(name: "theme", value: "dark", origin: .standard, description: "Colours.")]))
        sitting.dashboard.isAttached = true
        sitting.update(Scenes.busy) { ($0.slots, $0.mode) = (7, .simple) }
        sitting.press("S")
        expectEqual(line(sitting, "jobs")?.contains(" 7 "), true)
        for name in ["jobs", "limit-rate", "limit-upload", "progress"] {
            expectEqual(line(sitting, name)?.contains(" session "), true, "\(name)")
        }
        let saved = sitting.press("W").first ?? ""
        expect(saved.contains("theme=dark") && !saved.contains("jobs=") && !saved.contains("progress="))
    }

    @Test func `saves the configured theme on a terminal without colours`() {
        var sitting = Sitting(Scenes.busy, look: Appearance(isAnimated: false, colors: .mono))
        sitting.dashboard = Dashboard(
            title: "", look: Appearance(isAnimated: false, colors: .mono), columns: 80, rows: 24,
            settings: SettingsList([
                .init(name: "theme", value: "ocean", origin: .file(line: 1), description: "Colours."),
                .init(name: "animation", value: "yes", origin: .standard, description: "Bars."),
            ]), canShowUnicode: false)
        let saved = sitting.press("W").first ?? ""
        expect(saved.contains("theme=ocean") && saved.contains("animation=yes"))
        expect(!saved.contains("ascii="), "this terminal alone needs it")
    }

    @Test func `shows the file and line of a saved value`() {
        var sitting = open()
        sitting.press("j", "j", " ")
        expectEqual(line(sitting, "theme")?.contains("changed now"), true)
        sitting.handle(
            .saved(
                "Saved in ~/.config/winch/winch.conf: theme=light",
                lines: [.init(number: 7, setting: NameValueLine(name: "theme", value: "light"))]))
        expectEqual(line(sitting, "theme")?.contains("file, line 7"), true)
        expect(sitting.message.contains("Saved in ~/.config/winch/winch.conf: theme=light"))
        expect(sitting.footer.contains("W save"), "the keys stay")
    }

    @Test(arguments: [("S", "edit its value; Tab completes"), ("l", "errors, warnings, info")] as [(Key, String)])
    func `shows its own keys on the question mark, and any key returns`(panel: Key, words: String) {
        for size in [(80, 24), (40, 10)] {
            var sitting = Sitting(Scenes.busy, columns: size.0, lines: size.1)
            sitting.press(panel)
            let before = sitting.dashboard.mode
            sitting.press("?")
            expect(sitting.canvas.text.contains("Keys of the"))
            if size.0 == 80 { expect(sitting.canvas.text.contains(words)) }
            sitting.press(.escape)
            expectEqual(sitting.dashboard.mode, before)
        }
    }

    @Test func `changes a value and updates its origin`() {
        var sitting = open()
        expectEqual(sitting.press(.right), ["setSlots(5)"])
        sitting.update(Scenes.busy) { $0.slots = 5 }
        expectEqual(line(sitting, "jobs")?.contains("< 5 >"), true)
        expectEqual(line(sitting, "jobs")?.contains("changed now"), true)
        expectEqual(sitting.press(.left), ["setSlots(4)"])
        sitting.press("j", "j")
        expectEqual(line(sitting, "theme")?.contains("▸"), true)
        sitting.press(" ")
        expectEqual(sitting.dashboard.look.theme.name, "light")
        sitting.press(.left, .left)
        expectEqual(sitting.dashboard.look.theme.name, "mono", "it goes round")
        sitting.press("k")
        expectEqual(sitting.press(.left), [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 10_485_760))).words])
        expectEqual(sitting.press(.right), ["setRateLimit(nil)"])
        expectEqual(line(sitting, "mouse")?.contains("default"), true)
        sitting.press(.escape, "%", "S")
        expectEqual(line(sitting, "mouse")?.contains("changed now"), true)
    }

    @Test func `does not change settings that are fixed for the run`() {
        var sitting = open()
        sitting.press(.end)
        for key in [.right, .enter] as [Key] {
            expect(sitting.press(key).isEmpty)
            expect(sitting.message.contains("password can only be set at the start"))
        }
    }

    @Test func `keeps invalid text for correction`() {
        var sitting = open()
        sitting.press("j", .enter)
        expectEqual(sitting.footer, " limit-rate: none")
        sitting.type("fast")
        expect(sitting.press(.enter).isEmpty)
        expectEqual(sitting.footer, " limit-rate: fast")
        expectEqual(sitting.message, " ✗ 'fast' is not a rate; use 500K or 2M (bytes a second), or none")
        expect(sitting.canvas.text.contains("Settings"))
        for _ in 0..<4 { sitting.press(.backspace) }
        sitting.type("1M")
        expectEqual(sitting.press(.enter), [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 1_048_576))).words])
        expectEqual(sitting.dashboard.mode, .settings(SettingsView(index: 1)))
        sitting.press(.enter, .escape)
        expectEqual(sitting.dashboard.mode, .settings(SettingsView(index: 1)))
    }

    @Test func `describes the selected setting in full at any width`() {
        var sitting = open(columns: 44, lines: 20)
        expect(sitting.canvas.text.contains("Simultaneous downloads."))
        sitting.press("j")
        expect(sitting.canvas.text.contains("Bytes a second over all."))
    }

    @Test func `scrolls in a low window to keep the selected setting visible`() {
        var sitting = open(columns: 40, lines: 8)
        for _ in 0..<20 { sitting.press("j") }
        expectEqual(line(sitting, "password")?.contains("▸"), true)
        sitting.press("g")
        expectEqual(line(sitting, "jobs")?.contains("▸"), true)
    }

    @Test func `shows the limit of the uploads and changes it with the arrow keys`() {
        var sitting = open()
        sitting.update(Scenes.busy) { $0.uploadLimit = ByteRate(perSecond: 512_000) }
        expectEqual(line(sitting, "limit-upload")?.contains("500K"), true)
        while line(sitting, "limit-upload")?.contains("▸") != true { sitting.press("j") }
        let below = RateLadder.below(ByteRate(perSecond: 512_000))
        expectEqual(sitting.press(.left), [ScreenAction.send(.setUploadLimit(below)).words])
        expectEqual(sitting.press("W").first?.contains(" limit-upload=\(below?.typed ?? "") "), true)
    }
}

@Suite struct `The steps of the rate limit` {
    private func rate(_ kibi: Double?) -> ByteRate? { kibi.map { ByteRate(perSecond: $0 * 1024) } }

    @Test(
        arguments: [
            (nil, 10_240, nil), (10_240, 5120, nil), (1024, 500, 2048), (700, 500, 1024), (10, 10, 20),
        ] as [(Double?, Double, Double?)])
    func `lead from no limit to the lowest and back, from between two steps as well`(
        kibi: Double?, below: Double, above: Double?
    ) {
        expectEqual(RateLadder.below(rate(kibi)), rate(below))
        expectEqual(RateLadder.above(rate(kibi)), rate(above))
    }
}
