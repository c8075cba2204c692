import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The line of a window that is too small` {
    private func picture(
        _ columns: Int, _ lines: Int, look: Appearance = Appearance(), keys: [Key] = ["j", "j"],
        change: (inout QueueTotals) -> Void = { _ in }
    ) -> String {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines, look: look, change: change)
        sitting.wait(0.6)
        sitting.handle(.tick)
        for key in keys { sitting.press(key) }
        return sitting.canvas.text
    }

    @Test func `in windows too small for a table`() {
        #expect(picture(30, 2) == "winch 2/20 ~37% 2 failed 18.4…\n")
        #expect(picture(60, 7).hasPrefix("winch 2/20 ~37% 2 failed 18.4 MiB/s\n"))
    }

    @Test func `has the rows below it for which there is room`() {
        let rows: [TransferSnapshot] = [
            .sample(1, "a.bin", .moving, have: 512, of: 1024), .sample(2, "missing.tar.gz", .failed(.httpStatus(404))),
        ]
        let lines = Sitting(rows, columns: 30, lines: 8).lines
        #expect(lines[1].contains("a.bin") && lines[1].hasSuffix("50%"))
        #expect(lines[2].contains("missing.tar.gz"))
    }
}
