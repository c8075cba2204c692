import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The bar of the queue` {
    @Test func `shows no percentage for a queue of unknown sizes only`() {
        let rows: [TransferSnapshot] = [.sample(1, "a", .moving, have: 5), .sample(2, "b")]
        let sitting = Sitting(rows) { $0.isIndeterminate = true }
        expect(sitting.lines[1].hasSuffix("--"))
        expect(!sitting.lines[1].contains("%"))
    }

    @Test func `shows 100 percent only when everything succeeded`() {
        let rows: [TransferSnapshot] = [
            .sample(1, "a", .finished(.saved(path: "a")), have: 1 << 40, of: 1 << 40),
            .sample(2, "b", .moving, have: 0, of: 1),
        ]
        expect(Sitting(rows).lines[1].hasSuffix(" 99%"))
        var done = rows
        done[1].phase = .failed(.httpStatus(404))
        expect(!Sitting(done).lines[1].contains { $0.isNumber }, "the counts below say how many failed")
        expect(Sitting(done).lines[2].contains("1 of 2 done · 1 failed"))
        done[1].phase = .finished(.saved(path: "b"))
        expect(Sitting(done).lines[1].hasSuffix("100%"))
    }

    @Test func `counts the files that have ended in simple mode`() {
        let sitting = Sitting(Scenes.busy) { totals in
            totals.mode = .simple
            totals.fraction = 0.25
        }
        expect(sitting.lines[1].hasSuffix("5 of 20 ended"))
        expect(sitting.lines[3].contains("counting files"))
    }

    @Test func `keeps its width while the percentage grows`() {
        let width = { (have: Int64) in
            let sitting = Sitting([.sample(1, "a", .moving, have: have, of: 1000)])
            return sitting.dashboard.queueBarWidth(board: sitting.board, now: sitting.now)
        }
        expectEqual(width(10), width(500))
        expectEqual(width(10), width(999))
    }
}

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
