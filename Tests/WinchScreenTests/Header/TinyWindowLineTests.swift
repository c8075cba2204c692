import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The line of a window that is too small` {
    @Test(arguments: [
        (30, 2, "winch 2/20 ~37% 2 failed 18.4…"), (60, 7, "winch 2/20 ~37% 2 failed 18.4 MiB/s"),
    ])
    func `has the counts in windows too small for a table`(columns: Int, rows: Int, line: String) {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: rows)
        sitting.wait(0.6)
        sitting.handle(.tick)
        expectEqual(sitting.lines[0], line)
    }

    @Test func `has the rows below it for which there is room`() {
        let rows: [TransferSnapshot] = [
            .sample(1, "a.bin", .moving, have: 512, of: 1024), .sample(2, "missing.tar.gz", .failed(.httpStatus(404))),
        ]
        let lines = Sitting(rows, columns: 30, lines: 8).lines
        expect(lines[1].contains("a.bin") && lines[1].hasSuffix("50%"))
        expect(lines[2].contains("missing.tar.gz"))
    }
}
