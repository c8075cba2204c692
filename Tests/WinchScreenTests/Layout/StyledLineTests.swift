import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `A line made of parts` {
    private func line(_ left: [(String, Int)], _ right: [(String, Int)] = [], width: Int, least: Int? = nil) -> String {
        func part(_ text: String, _ rank: Int) -> Part {
            Part([Run(SafeText(text), .plain)], rank: rank, least: rank == 1 ? least : nil)
        }
        var canvas = Canvas(columns: width, rows: 1)
        StyledLine(
            left: left.map(part), right: right.map(part), separator: Run(SafeText(" · "), .plain)
        ).draw(on: &canvas, column: 0, row: 0, width: width)
        return canvas.lines[0]
    }

    @Test func `keeps its sides apart and drops the parts of lowest priority first`() {
        expectEqual(line([("a", 2), ("b", 3)], [("c", 4)], width: 12), "a · b      c")
        let parts = [("one", 9), ("two", 2), ("three", 5)]
        expectEqual(line(parts, [("four", 7)], width: 30), "one · two · three         four")
        expectEqual(line(parts, [("four", 7)], width: 20), "one · three     four")
        expectEqual(line(parts, [("four", 7)], width: 12), "one     four")
        expectEqual(line(parts, [("four", 7)], width: 6), "one")
        expectEqual(line(parts, [("four", 7)], width: 2), "o…")
    }

    @Test func `gives the room of a wide part that does not fit to those of lower priority`() {
        let parts = [("done", 9), ("a very wide part", 5), ("ab", 2)]
        expectEqual(line(parts, width: 16), "done · ab")
    }

    @Test func `shortens a part that allows it before it drops any`() {
        expectEqual(
            line([("name", 9), ("a long title", 1)], [("rate", 7)], width: 22, least: 4), "name · a long t…  rate")
        expectEqual(line([("name", 9), ("a long title", 1)], [("rate", 7)], width: 16, least: 4), "name        rate")
    }
}
