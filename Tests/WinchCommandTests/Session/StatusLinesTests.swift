import TestSupport
import Testing
import WinchModel

@testable import winch

@Suite struct `The table of winch status` {
    @Test func `has a heading, a line for each transfer, and counts that add up`() {
        let lines = StatusLines(QueueCopy.statusSample(), isASCII: true).lines.map { "\($0)" }
        expectEqual(lines.count, 5)
        expectEqual(lines[0], "id  state        done     size       rate  name")
        expectEqual(lines[1], " 1  done         100%  2.0 KiB          -  a.iso")
        expect(lines[2].contains(" downloading "))
        expect(lines[3].hasSuffix("c.iso: 404 not found"))
        expect(lines[4].hasPrefix("1 of 3 done, 1 failed, "))
        expect(lines[4].hasSuffix("1 active, limit 50.0 KiB/s"))
    }

    @Test func `has the bytes of a file whose size is not known`() {
        let row = TransferSnapshot(
            id: TransferID(1), name: "a", host: "host", phase: .paused, have: ByteCount(bytes: 2048))
        var update = Update(at: Moment(nanoseconds: 0))
        update.rows[row.id] = row
        update.order = .whole([row.id])
        var copy = QueueCopy()
        copy.apply(update)
        let lines = StatusLines(copy, isASCII: true).lines.map { "\($0)" }
        expectEqual(lines[1], " 1  paused  2.0 KiB     -     -  a")
    }

    @Test func `has the files of a folder with their paths`() {
        var update = Update(at: Moment(nanoseconds: 0))
        for (number, name) in [(1, "a.iso"), (2, "pub/")] {
            let row = TransferSnapshot(
                id: TransferID(number), name: name, host: "host", folder: "/data/pub", namedParts: 1, phase: .paused)
            update.rows[row.id] = row
        }
        update.order = .whole([TransferID(1), TransferID(2)])
        var copy = QueueCopy()
        copy.apply(update)
        let lines = StatusLines(copy, isASCII: true).lines.map { "\($0)" }
        expect(lines[1].hasSuffix("  pub/a.iso") && lines[2].hasSuffix("  pub/"))
    }

    @Test func `says once what has become of settled transfers`() {
        let lines = StatusLines(QueueCopy.statusSample(isSettled: true), isASCII: true).lines.map { "\($0)" }
        expectEqual(lines.last, "1 of 3 done, 1 failed, 1 cancelled, limit 50.0 KiB/s")
    }

    @Test(arguments: [
        (0, "2 of 5 done, 3 failed"), (1, "2 of 5 done, 2 failed, 1 waits for your answer"),
        (3, "2 of 5 done, 3 wait for your answer"),
    ])
    func `does not count as failed what waits for an answer of the user`(asking: Int, words: String) {
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.failed) = (5, 2, 3)
        expectEqual(StatusLines.counts(totals, asking: asking), words)
    }
}
