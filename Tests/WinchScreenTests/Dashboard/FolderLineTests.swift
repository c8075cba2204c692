import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The line of a folder that is listed` {
    private func docs(
        _ phase: TransferPhase, _ rows: [TransferSnapshot] = [], found: Int? = nil, columns: Int
    ) -> (sitting: Sitting, line: String) {
        var rows = rows + [.sample(10, "docs/", phase)]
        rows[rows.count - 1].found = found.map { Found(files: $0) }
        for index in rows.indices { rows[index].folder = "docs" }
        var sitting = Sitting(columns: columns, lines: 24)
        sitting.update(rows) { $0.listings = QueueTotals.Listings(open: 1, done: 0, failed: 0) }
        return (sitting, sitting.lines.first { $0.contains("▿ docs") } ?? "")
    }

    private static let busy = TransferPhase.backoff(
        until: .at(18), attempt: 2, limit: 5, failure: .httpStatus(503))

    @Test(
        arguments: [
            (.moving, 1234, 120, "listing, 1,234 files"), (.moving, 1234, 80, "listing, 1,234 files"),
            (busy, nil, 140, "busy, retry in 18 s (2/5)"), (busy, nil, 80, "busy, retry in 18 s"),
            (busy, nil, 60, "busy 18 s"), (.requested, nil, 80, "waiting for response"), (.paused, nil, 120, "paused"),
            (.failed(.httpStatus(403)), nil, 120, "403"),
        ] as [(TransferPhase, Int?, Int, String)])
    func `shows in a folder's line what its listing does, or why it does nothing`(
        phase: TransferPhase, found: Int?, columns: Int, words: String
    ) {
        let line = docs(phase, found: found, columns: columns).line
        expect(line.contains(words), "\(line)")
    }

    @Test func `shows the counts of a folder before the state of its listing, and that alone where both do not fit`() {
        let waiting = TransferSnapshot.sample(1, "a", of: 100)
        let moving = TransferSnapshot.sample(2, "b", .moving, have: 10, of: 100, rate: 5)
        let failed = TransferSnapshot.sample(3, "c", .failed(.httpStatus(404)))
        let line = docs(Self.busy, [waiting], columns: 120).line
        expect(line.contains("0/0/1 busy, retry in 18 s"), "\(line)")
        let moved = docs(.moving, [waiting, moving], found: 2, columns: 120).line
        expect(moved.contains("0/0/2 listing") && moved.contains("5 B/s"), "\(moved)")
        let narrow = docs(.moving, [waiting, moving, failed], found: 2, columns: 104).line
        expect(narrow.contains("listing") && narrow.contains("5 B/s"), "\(narrow)")
        let none = docs(.moving, [waiting, moving], found: 2, columns: 80).line
        expect(!none.contains("listing") && none.contains("0/0/2") && none.contains("5 B/s"), "\(none)")
    }

    /// A slow and a quick row in `pub`, and maybe another elsewhere.
    private func timeLeft(
        others: [TransferSnapshot] = [], queue: Double?, change: (inout QueueTotals) -> Void = { _ in }
    ) -> String {
        var rows: [TransferSnapshot] = [
            .sample(1, "quick", .moving, have: 0, of: 9000, rate: 90, finish: 100),
            .sample(2, "slow", .moving, have: 0, of: 4000, rate: 10, finish: 400),
            .sample(3, "later", .paused, of: 5000),
        ]
        for index in rows.indices { rows[index].folder = index < 2 ? "pub" : "other" }
        var sitting = Sitting(columns: 120, lines: 24)
        sitting.press("f")
        sitting.update(rows + others) { totals in
            totals.finish = queue.map { Moment.at($0) }
            change(&totals)
        }
        let line = sitting.lines.first { $0.contains("▿ pub") } ?? ""
        return line.split(separator: "B/s").last?.split(separator: " ").joined(separator: " ") ?? ""
    }

    @Test func `takes as long as the header says where nothing else is left, else no less long than any of its rows`() {
        let other = TransferSnapshot.sample(4, "x", of: 100)
        expectEqual(timeLeft(queue: 350), "5 m 50 s")
        expectEqual(timeLeft(queue: 350) { $0.guessed = 9 }, "~6 m")
        expectEqual(timeLeft(queue: nil), "--")
        // 130 s at the rate of both.
        expectEqual(timeLeft(others: [other], queue: 450), "6 m 40 s")
        expectEqual(timeLeft(others: [other], queue: 90), "6 m 40 s")
        expectEqual(timeLeft(others: [other], queue: 90) { $0.guessed = 9 }, "6 m 40 s", "its own sizes are known")
        let more = QueueTotals.Listings(open: 1, done: 0, failed: 0)
        expectEqual(timeLeft(queue: 350) { $0.listings = more }, "6 m 40 s", "more files may come elsewhere")
    }

    @Test func `offers the keys that help a listing, and says its state in full when the folder is selected`() {
        for columns in [120, 40] {
            let sitting = docs(Self.busy, columns: columns).sitting
            expect(sitting.footer.contains("p pause") && sitting.footer.contains("r retry"), "\(sitting.footer)")
            let isInFull = sitting.lines[5...8].contains { $0.contains("server busy (503), retry in 18 s (2/5)") }
            expectEqual(sitting.message.contains("server busy (503)"), !isInFull)
        }
        var sitting = docs(Self.busy, columns: 120).sitting
        expectEqual(sitting.press("r"), ["retry([TransferID(number: 10)])"])
        sitting = docs(.waiting(.held), columns: 120).sitting
        expect(sitting.footer.contains("p resume") && !sitting.footer.contains("p pause"), "\(sitting.footer)")
    }

    @Test func `counts down with the listing of a folder, and shows at once what that has found`() {
        var (sitting, _) = docs(Self.busy, columns: 120)
        expect(sitting.nextFrame ?? 99 <= 1)
        sitting.wait(3)
        expect(sitting.canvas.text.contains("retry in 15 s"))
        sitting = docs(.moving, found: 5, columns: 120).sitting
        sitting.dashboard.frameWasDrawn()
        var row = TransferSnapshot.sample(10, "docs/", .moving)
        (row.folder, row.found) = ("docs", Found(files: 9))
        sitting.update(Update(rows: [row.id: row], totals: sitting.board.totals, at: .at(0)))
        expect(sitting.dashboard.hasNews && sitting.canvas.text.contains("listing, 9 files"))
    }
}
