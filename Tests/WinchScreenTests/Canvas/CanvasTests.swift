import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `A canvas` {
    @Test func `keeps the two halves of a wide character together`() {
        var canvas = Canvas(columns: 6, rows: 1)
        canvas[1, 0] = Cell("東")
        expectEqual(canvas[1, 0].text, "東")
        expectNil(canvas[2, 0].text)

        canvas[2, 0] = Cell("x")
        expectEqual(canvas.lines, ["  x"])

        canvas[3, 0] = Cell("京")
        canvas[3, 0] = Cell("y")
        expectEqual(canvas.line(0).map(\.text), [" ", " ", "x", "y", " ", " "])

        canvas.write(SafeText("東京都"), .plain, column: 0, row: 0)
        canvas[1, 0] = Cell("道")
        canvas[5, 0] = Cell("東")
        expectEqual(canvas.line(0).map(\.text), [" ", "道", nil, " ", " ", " "], "at the edge there is no room for two")
    }

    @Test(arguments: ["\u{1B}", "\u{7}", "\r\n", "\u{9B}", "\u{202E}", "\u{301}", "🇩🇪", "👨\u{200D}👩"] as [Character])
    func `replaces characters that could control or confuse a terminal`(character: Character) {
        var canvas = Canvas(columns: 2, rows: 1)
        canvas[0, 0] = Cell(character)
        expectEqual(canvas[0, 0].text, "\u{FFFD}")
    }

    @Test func `ignores what is written outside its bounds`() {
        var canvas = Canvas(columns: 4, rows: 2)
        let empty = canvas
        canvas.write(SafeText("outside"), .plain, column: 9, row: 0)
        canvas.write(SafeText("outside"), .plain, column: 0, row: 7)
        canvas.write(SafeText("outside"), .plain, column: 0, row: -1)
        canvas[-1, 0] = Cell("x")
        canvas[4, 1] = Cell("x")
        expectEqual(canvas, empty)
        expectEqual(canvas[99, 99], .blank)
        var none = Canvas(columns: -3, rows: 0)
        none.write(SafeText("x"), .plain, column: 0, row: 0)
        none.clear(column: 0, row: 0, columns: 5, rows: 5)
        expect(none.lines.isEmpty)
    }

    @Test func `shortens text to its field and aligns it`() {
        var canvas = Canvas(columns: 12, rows: 3)
        canvas.write(SafeText("12.3 MiB/s"), .plain, column: 1, row: 0, width: 11, align: .right)
        canvas.write(SafeText("a long word"), .plain, column: 2, row: 1, width: 6)
        canvas.write(SafeText("sticks out"), .plain, column: 8, row: 2)
        expectEqual(canvas.lines, ["  12.3 MiB/s", "  a lon…", "        sti…"])
    }
}
