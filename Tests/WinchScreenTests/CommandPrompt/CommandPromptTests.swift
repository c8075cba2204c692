import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A typed command` {
    /// Types a line after the colon and enters it.
    private func run(_ line: String) -> (actions: [String], sitting: Sitting) {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", ":")
        sitting.type(line)
        return (sitting.press(.enter), sitting)
    }

    @Test(
        arguments: [
            ("pause", ["pause([TransferID(number: 2)])"]), ("pause-all", ["pauseAll"]),
            ("retry-failed", ["retryFailed"]), ("jobs 8", ["setSlots(8)"]), ("limit none", ["setRateLimit(nil)"]),
            ("limit", ["setRateLimit(nil)"]), ("limit-upload none", ["setUploadLimit(nil)"]),
            ("mode simple", ["setMode(ProgressMode.simple)"]), ("add http://h/x", ["add http://h/x"]),
            ("add @more.txt", ["add @more.txt"]), ("fps 5", ["frames 5"]), ("redraw", ["redraw"]),
            ("  jobs   3  ", ["setSlots(3)"]), ("", []), ("   ", []), ("mod simple", ["setMode(ProgressMode.simple)"]),
            ("limit 2M", [ScreenAction.send(.setRateLimit(ByteRate(perSecond: 2_097_152))).words]),
            ("limit-upload 500K", [ScreenAction.send(.setUploadLimit(ByteRate(perSecond: 512_000))).words]),
        ] as [(String, [String])])
    func `has the effect of its key or setting`(line: String, actions: [String]) {
        expectEqual(run(line).actions, actions)
    }

    @Test(
        arguments: [
            ("sort size,backwards", "sort takes queue, name"), ("jobs 0", "jobs takes a number from 1 to 256, not 0"),
            ("jobs", "not nothing"),
            ("limit fast", "'fast' is not a rate; use 500K or 2M (bytes a second), or none"),
            ("limit 2,5M", "'2,5M' has a decimal comma; write 2.5M"),
            ("mode both", "mode takes simple or accurate"), ("theme pink", "theme takes dark, light, high-contrast"),
            ("fps 99", "fps takes a number from 1 to 20"), ("ascii perhaps", "ascii takes yes or no"),
            ("pause two", "pause takes nothing after it, not two"),
        ])
    func `with an invalid value is refused with the valid ones and can be corrected`(line: String, words: String) {
        var (actions, sitting) = run(line)
        expect(actions.isEmpty)
        expect(sitting.canvas.text.replacing("\n", with: "").contains(words))
        expectEqual(sitting.footer, " :" + line)
        expect(sitting.dashboard.history.isEmpty)
        sitting.press(.backspace)
        expect(!sitting.canvas.text.contains("takes"), "the next key takes it away")
        expectEqual(sitting.dashboard.mode.prompt?.text, String(line.dropLast()))
    }

    @Test func `in a window of one line is replaced by the error until the next key`() {
        var sitting = Sitting(Scenes.busy, columns: 30, lines: 1)
        sitting.press(":")
        sitting.type("fps 99")
        sitting.press(.enter)
        expect(sitting.footer.contains("fps takes a number"))
        sitting.press(.backspace)
        expectEqual(sitting.footer, ":fps 9")
    }

    @Test(arguments: [
        ("p", "More than one command begins with p"),
        ("nonsense", "There is no command nonsense; Tab shows what there is"),
        ("ocaen", "There is no command ocaen; did you mean theme ocean?"), ("simpel", "did you mean mode simple?"),
        ("theme ocaen", "did you mean ocean?"), ("puase", "There is no command puase; did you mean pause?"),
    ])
    func `that is unknown or ambiguous is refused with the nearest one`(line: String, words: String) {
        let (actions, sitting) = run(line)
        expect(actions.isEmpty)
        expect(sitting.canvas.text.contains(words))
    }

    @Test func `changes the appearance and the limits at once`() {
        expectEqual(run("theme light").sitting.dashboard.look.theme.name, "light")
        expect(run("ascii").sitting.canvas.text.utf8.allSatisfy { $0 < 0x80 })
        expectEqual(run("animation no").sitting.dashboard.look.isAnimated, false)
        expect(run("exit yes").sitting.dashboard.quitsWhenSettled)
        expectEqual(run("limit-upload 500K").sitting.message, " Upload limit 500 KiB/s")
    }

    @Test func `opens the same panels as the keys`() {
        expectEqual(run("help").sitting.dashboard.mode, .help(top: 0))
        expectEqual(run("log error").sitting.dashboard.mode, .log(LogPanelView(level: .error)))
        expect(run("settings").sitting.canvas.text.contains("Settings"))
        expect(run("add").sitting.footer.contains("Add URL:"))
        expect(run("details").sitting.dashboard.isDetailsOpen)
    }

    @Test func `exists for every key`() {
        let sitting = Sitting(Scenes.busy)
        let names = Set(sitting.dashboard.commands.map(\.name))
        for binding in KeyMap.standard.bindings { expect(names.contains(binding.intent.name)) }
        expectEqual(Set(KeyAction.allCases.map(\.name)).count, KeyAction.allCases.count)
    }

    @Test func `can be chosen by Tab and Shift-Tab from a list that shows the position`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press(":")
        let names = sitting.dashboard.commands.map(\.name)
        expect(sitting.canvas.text.contains("1 to 8 of \(names.count); Tab and S-Tab move"))
        var seen: [String] = []
        for _ in names {
            sitting.press(.tab)
            let typed = String(sitting.footer.drop { $0 == " " || $0 == ":" })
            seen.append(typed)
            expect(sitting.lines.dropLast().contains { $0.hasPrefix("│ \(typed) ") || $0 == "│ \(typed)" })
        }
        expectEqual(seen, names)
        sitting.press(.tab)
        expect(sitting.footer.contains(":\(names[0])"))
        sitting.press(.backTab)
        expect(sitting.footer.contains(":\(names[names.count - 1])"))
        expect(sitting.canvas.text.contains("to \(names.count) of \(names.count)"))
    }

    @Test func `is completed by Tab, up to its arguments`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press(":")
        sitting.type("the")
        for line in [":theme", ":theme dark", ":theme light"] {
            sitting.press(.tab)
            expect(sitting.footer.contains(line))
        }
        expect(sitting.lines.contains { $0.contains("theme high-contrast") }, "all of them are shown above")
        expect(!sitting.canvas.text.contains("S-Tab"), "they are few")
        sitting.press(.enter)
        expectEqual(sitting.dashboard.look.theme.name, "light")
    }

    @Test func `is explained while it is typed`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press(":")
        sitting.type("retry")
        expect(sitting.lines.contains { $0.contains("retry-failed") && $0.contains("retry all that failed") })
        sitting.type("xxx")
        expect(!sitting.lines.contains { $0.contains("retry all that failed") })
    }

    @Test func `is recalled by the arrow keys, and so is the unfinished line`() {
        var sitting = Sitting(Scenes.busy)
        for line in ["jobs 3", "jobs 4", "jobs 4"] {
            sitting.press(":")
            sitting.type(line)
            sitting.press(.enter)
        }
        expectEqual(sitting.dashboard.history, ["jobs 3", "jobs 4"])
        sitting.press(":")
        sitting.type("sl")
        sitting.press(.up)
        expect(sitting.footer.contains(":jobs 4"))
        sitting.press(.up, .up)
        expect(sitting.footer.contains(":jobs 3"))
        sitting.press(.down, .down)
        expect(sitting.footer.hasSuffix(":sl"))
    }

    @Test(arguments: [[.escape], [.backspace]] as [[Key]])
    func `is closed by Esc, and by backspace in an empty line`(keys: [Key]) {
        var sitting = Sitting(Scenes.busy)
        sitting.press(":")
        for key in keys { sitting.press(key) }
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.actions.isEmpty)
    }
}
