import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The footer` {
    @Test func `shows the keys that apply to the selected row`() {
        var sitting = Sitting([
            .sample(1, "a", .moving), .sample(2, "b", .paused), .sample(3, "c", .failed(.httpStatus(404))),
            .sample(4, "d", .finished(.saved(path: "d"))),
        ])
        expect(sitting.footer.hasPrefix(" p pause  c cancel  x limit"))
        sitting.press("j")
        expect(sitting.footer.hasPrefix(" p resume  c cancel  x limit"))
        sitting.press("j")
        expect(sitting.footer.hasPrefix(" r retry  d off the list  x limit"))
        sitting.press("j")
        expect(sitting.footer.hasPrefix(" d off the list  Enter details  a add"))
    }

    @Test(arguments: [60, 64, 80, 104, 120, 150, 180], [false, true])
    func `always shows how to leave`(columns: Int, isAttached: Bool) {
        for lines in [15, 24] {
            var sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
            sitting.dashboard.isAttached = isAttached
            for _ in 0..<12 {
                expect(sitting.footer.contains(isAttached ? "q leave" : "q quit"), "\(sitting.footer)")
                sitting.press("j")
            }
        }
    }

    @Test(arguments: [(80, 24), (120, 36), (60, 20), (40, 10), (40, 8)])
    func `stays visible below a message, which covers no selected row`(columns: Int, lines: Int) {
        var sitting = Sitting(Scenes.many(50), columns: columns, lines: lines)
        sitting.press("G")
        let footer = sitting.footer
        sitting.handle(.notice("a message"))
        expectEqual(sitting.footer, footer)
        expect(sitting.lines.suffix(3).contains { $0.contains("a message") })
        expect(sitting.lines.contains { $0.contains("▸") && $0.contains("file-50") })
    }

    @Test func `contains help and quit at any width`() {
        for width in 40...300 {
            let footer = Sitting(Scenes.busy, columns: width).footer
            expect(footer.contains("? help"))
            expect(footer.contains("q quit"))
        }
    }

    @Test(arguments: [
        (TransferPhase.waiting(.slot), "· waiting for its turn"),
        (.waiting(.hostSlot), "· waiting: all connections that h allows are in use"),
        (.waiting(.held), "· waiting: all transfers are paused"),
    ])
    func `says why the selected row waits, which its row does not`(phase: TransferPhase, words: String) {
        for columns in [80, 120, 200] {
            let sitting = Sitting([.sample(1, "n", phase, host: "h")], columns: columns)
            expectEqual(sitting.message, " " + words, "\(columns)")
        }
    }

    @Test(arguments: [TransferPhase.moving, .finished(.saved(path: "n"))])
    func `shows a note about the selected file, which its row does not`(phase: TransferPhase) {
        var row = TransferSnapshot.sample(1, "n", phase, have: 5, of: 10, rate: 1)
        row.warning = .pageOfFolder
        expect(Sitting([row]).message.contains("note: a web page about the folder, not its files"))
        row.warning = .unknownPart("n.part", isContinued: false)
        expect(Sitting([row]).message.contains("note: n.part not known, began at 0; Enter shows more"))
        row.stalledSince = phase == .moving ? Moment.at(-3) : nil
        expectEqual(Sitting([row]).message.contains("note: "), (phase != .moving))
    }

    @Test func `shows the failure of the selected row if the table has no space for it`() {
        let reason = TransferFailure.unreachable(host: "h", reason: "Connection refused")
        for (columns, rows) in [(80, 24), (200, 36), (60, 20)] {
            var sitting = Sitting(
                [.sample(1, "a", .failed(reason)), .sample(2, "b", .failed(.httpStatus(404)))], columns: columns,
                lines: rows)
            let stateText = "✗ cannot connect to h: Connection refused"
            expect(sitting.lines.suffix(2).contains { $0.contains(stateText) } != (columns == 200), "at \(columns)")
            expect(sitting.footer.contains("? help") && sitting.footer.contains("q quit"))
            sitting.press("j")
            expect(!sitting.lines.suffix(2).contains { $0.contains("✗") }, "it stands in the table")
        }
    }
}

@Suite struct `A notice above the footer` {
    @Test func `shows problems until a key is pressed, and the log lists all of them`() {
        let problems = [
            "/home/me/.config/winch/winch.conf:3: there is no option colour", "/x/sea.theme:9: no such colour",
        ]
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.problems(problems))
        sitting.wait(1000)
        sitting.handle(.tick)
        expectEqual(
            sitting.message, " 2 problems (l shows all), the first: winch.conf:3: there is no option colour")
        sitting.press("l", "w")
        for problem in problems {
            expect(sitting.lines.contains { $0.contains("WARN") && $0.contains(problem.suffix(20)) })
        }
        sitting.press(.escape)
        expect(sitting.footer.contains("? help"))
    }

    @Test func `shows a single problem on as many lines as it needs`() {
        var sitting = Sitting(Scenes.busy, columns: 40, lines: 12)
        sitting.handle(.problems(["winch.conf:3: limit-rate: bytes a second, such as 500K or 2M, not 'fast'"]))
        expect(sitting.canvas.text.contains("winch.conf:3: limit-rate: bytes a"))
        expect(sitting.message.contains("(l shows it again)"))
    }

    @Test func `shows a notice for four seconds, without control characters`() {
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.notice("line 3: bad URL \u{1B}[2J"))
        expectEqual(sitting.message, " line 3: bad URL �[2J")
        sitting.wait(3.9)
        sitting.handle(.tick)
        expect(sitting.message.contains("bad URL"))
        sitting.wait(0.2)
        sitting.handle(.tick)
        expect(sitting.footer.contains("? help"))
    }
}
