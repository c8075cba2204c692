import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `The input line` {
    private func typed(_ keys: [Key]) -> (text: String, cursor: Int) {
        var prompt = Prompt()
        for key in keys { _ = prompt.press(key) }
        return (prompt.text, prompt.cursor)
    }

    @Test(
        arguments: [
            (["a", "b", .left, "c"], "acb", 2), (["a", "b", .home, "c", .end, "d"], "cabd", 4),
            (["a", "b", .backspace], "a", 1), ([.backspace, "a"], "a", 1), (["a", "b", .left, .delete], "a", 1),
            ([.delete], "", 0), ([.left, .left, .right, "x"], "x", 1), (["é", "東", .left, .backspace], "東", 0),
            ([.paste("one two"), .control("u")], "", 0), ([.paste("one two"), .left, .left, .control("u")], "wo", 0),
            ([.paste("one two  "), .control("w")], "one ", 4),
            ([.paste("https://a.b/c/d"), .control("w")], "https://a.b/c/", 14),
            ([.paste("one"), .left, .control("k")], "on", 2), ([.control("w"), .control("u"), .control("k")], "", 0),
            ([.paste("a\r\nb\rc\u{1B}[31m\u{0}\td")], "a\nb\nc[31m\td", 11),
        ] as [([Key], String, Int)])
    func `is edited at its cursor`(keys: [Key], text: String, cursor: Int) {
        let result = typed(keys)
        expectEqual(result.text, text)
        expectEqual(result.cursor, cursor)
    }

    @Test func `is submitted by Enter, blank or not`() {
        var sitting = Sitting()
        sitting.press("a")
        sitting.type("https://example.org/q?p=1")
        expect(sitting.actions.isEmpty, "letters are no keys here")
        expectEqual(sitting.press(.enter), ["add https://example.org/q?p=1"])
        expectEqual(sitting.dashboard.mode, .normal)

        sitting.press("a", "x", .escape, "a")
        expectEqual(sitting.footer, " Add URL:")
        sitting.type("   ")
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.press("a", .enter).isEmpty)
    }

    @Test func `opens with text pasted on the dashboard, whose characters are not keys`() {
        var sitting = Sitting(Scenes.busy)
        expect(sitting.press(.paste("https://a.org/q\nhttps://b.org/c\n")).isEmpty)
        expect(sitting.footer.contains("Add URL: https://a.org/q⏎https://b.org/c⏎"))
        expectEqual(sitting.press(.enter), ["add https://a.org/q\nhttps://b.org/c\n"])
    }

    @Test func `scrolls to keep its cursor visible`() {
        var sitting = Sitting([], columns: 40)
        sitting.press("a")
        sitting.type("https://example.org/" + String(repeating: "x", count: 60) + "/end")
        expect(sitting.footer.hasSuffix("xxx/end"))
        expectEqual(sitting.canvas.cursor?.column, 39)
        expectEqual(sitting.canvas.cursor?.row, 23)
        sitting.press(.home)
        expect(sitting.footer.hasPrefix("Add URL: https://example.org/xxx"))
        expectEqual(sitting.canvas.cursor?.column, 9)
        sitting.press(.escape)
        expectNil(sitting.canvas.cursor)
    }

    @Test func `keeps its cursor in place with wide and hostile characters`() {
        var sitting = Sitting([], columns: 40)
        sitting.press("a", .paste("東京\u{202E}"))
        expectEqual(sitting.footer, "Add URL: 東京�")
        expectEqual(sitting.canvas.cursor?.column, 14)
    }

    @Test func `refuses a paste that has no room as a whole, so that no URL is cut`() {
        var prompt = Prompt()
        _ = prompt.press(.paste(String(repeating: "x", count: Prompt.longest - 1)))
        _ = prompt.press(.paste("http"))
        expectEqual(prompt.characters.count, Prompt.longest - 1)
        expectEqual(prompt.fault?.contains("as a file"), true)
        _ = prompt.press("y")
        expect(prompt.characters.count == Prompt.longest && prompt.fault == nil)
    }

    @Test(arguments: [
        (41, "Password at files.example.org: "), (40, "files.example.org: "), (29, "files.example.org: "),
        (28, "Password …le.org: "), (26, "Password: "), (14, "P…: "), (13, ""),
    ])
    func `keeps the end of what its label names, or what is to be typed, and 10 columns for it`(
        width: Int, label: String
    ) {
        var canvas = Canvas(columns: width, rows: 1)
        PromptLine(
            prompt: Prompt(text: "x"), look: Appearance(), label: "Password at files.example.org: ",
            subject: "files.example.org"
        )
        .draw(on: &canvas, column: 0, row: 0, width: width)
        expectEqual(canvas.text, label + "x")
    }

    @Test func `has constant cost after a paste of a million characters`() {
        var prompt = Prompt()
        _ = prompt.press(.paste(String(repeating: "x", count: 1_000_000)))
        expectEqual(prompt.press("y"), .edited)
        expectEqual(prompt.characters.count, 1_000_001)
        var canvas = Canvas(columns: 80, rows: 1)
        PromptLine(prompt: prompt, look: Appearance()).draw(on: &canvas, column: 0, row: 0, width: 80)
        expectEqual(canvas.cursor?.column, 79)
    }
}
