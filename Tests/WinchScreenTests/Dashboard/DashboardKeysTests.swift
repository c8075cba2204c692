import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A key on the dashboard` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "moving", .moving, have: 10, of: 100), .sample(2, "waiting"), .sample(3, "paused", .paused),
        .sample(4, "failed", .failed(.httpStatus(500))),
        .sample(5, "done", .finished(.saved(path: "x")), have: 5, of: 5),
        .sample(6, "cancelled", .cancelled),
        .sample(7, "backoff", .backoff(until: .at(9), attempt: 2, limit: 5, failure: .httpStatus(503))),
        .sample(8, "held", .waiting(.held)), .sample(9, "checking", .verifying, have: 5, of: 5),
    ]

    private func sitting(on row: Int, change: (inout QueueTotals) -> Void = { _ in }) -> Sitting {
        var sitting = Sitting(Self.rows, change: change)
        for _ in 1..<row { sitting.press("j") }
        return sitting
    }

    @Test(
        arguments: [
            ("p", 1, "pause([#])"), ("p", 2, "pause([#])"), ("p", 3, "resume([#])"), ("p", 7, "pause([#])"),
            ("p", 8, "resume([#])"), ("r", 4, "retry([#])"), ("r", 6, "retry([#])"), ("r", 7, "retry([#])"),
            ("d", 5, "remove([#])"), ("]", 1, "move(#, by: 1)"), ("[", 9, "move(#, by: -1)"),
        ] as [(Character, Int, String)])
    func `acts on the selected row if its state allows it`(key: Character, row: Int, command: String) {
        var sitting = sitting(on: row)
        expectEqual(sitting.press(.character(key)), [command.replacing("#", with: "TransferID(number: \(row))")])
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9])
    func `c asks for confirmation before it cancels a transfer`(row: Int) {
        var sitting = sitting(on: row)
        expect(sitting.press("c").isEmpty)
        expect(sitting.canvas.text.contains("Cancel \(Self.rows[row - 1].name)"))
        expect(sitting.footer.contains("y yes  n no"))
        expect(sitting.press("x", .enter, .down).isEmpty)
        expectEqual(sitting.press("y"), ["cancel([TransferID(number: \(row))])"])
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test(arguments: ["n", "N", .escape] as [Key])
    func `other than y dismisses a question`(key: Key) {
        var sitting = sitting(on: 1)
        expect(sitting.press("c", key).isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.actions.isEmpty)
    }

    @Test(
        arguments: [
            (.finished(.saved(path: "x")), "It has finished meanwhile"),
            (.failed(.httpStatus(404)), "It has failed meanwhile"), (.cancelled, "It has been cancelled meanwhile"),
            (nil, "It has left the list meanwhile"),
        ] as [(TransferPhase?, String)])
    func `has no effect just after the transfer has ended, which closes the question`(
        end: TransferPhase?, words: String
    ) {
        var sitting = sitting(on: 1)
        sitting.press("c")
        var rows = Self.rows
        if let end { rows[0].phase = end } else { rows.removeFirst() }
        var update = Update.all(rows)
        if end == nil { update.removed = [TransferID(1)] }
        sitting.update(update)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.message.contains(words))
        sitting.wait(0.5)
        for key in ["y", "n", .enter, .escape, "P"] as [Key] { expectEqual(sitting.press(key), []) }
        expect(sitting.message.contains(words))
        sitting.wait(0.5)
        expectEqual(sitting.press("P"), ["pauseAll"])
    }

    @Test func `does not answer the question that follows one that has closed by itself`() {
        var sitting = sitting(on: 1)
        sitting.press("c")
        sitting.ask(
            UserQuestion(
                id: 1, title: "Host key", question: "Is this its key?",
                kind: .choice([.init(key: "y", words: "yes"), .init(key: "n", words: "no")])))
        var rows = Self.rows
        rows[0].phase = .cancelled
        sitting.update(rows)
        sitting.press("y")
        expectEqual(sitting.dashboard.inquiries.count, 1)
        sitting.wait(1)
        sitting.press("y")
        expectEqual(sitting.dashboard.inquiries, [])
    }

    @Test func `c shows what became of tagged transfers that have all ended meanwhile`() {
        var sitting = Sitting(Self.rows)
        sitting.press("*", "c")
        var rows = Self.rows
        for index in rows.indices where !rows[index].phase.isSettled { rows[index].phase = .cancelled }
        sitting.update(rows)
        expect(sitting.message.contains("They have been cancelled meanwhile"), "\(sitting.message)")
    }

    @Test func `P pauses all transfers, or resumes them when all are paused or held`() {
        var running = Sitting(Self.rows)
        expectEqual(running.press("P"), ["pauseAll"])
        var held = Sitting([.sample(1, "a")]) { $0.isHeld = true }
        expect(held.lines[2].contains("all paused"))
        expectEqual(held.press("P"), ["resumeAll"])
        // Some were resumed since.
        var resumed = Sitting(Self.rows) { $0.isHeld = true }
        expect(!resumed.lines[2].contains("all paused"))
        expectEqual(resumed.press("P"), ["pauseAll"])
        var paused = Sitting([.sample(1, "a", .paused), .sample(2, "b", .finished(.saved(path: "b")))])
        expectEqual(paused.press("P"), ["resumeAll"])
        var over = Sitting([.sample(2, "b", .finished(.saved(path: "b")))])
        expect(over.press("P").isEmpty)
        expect(over.message.contains("everything has finished"))
        var empty = Sitting()
        expectEqual(empty.press("P"), [])
        expect(empty.message.contains("No downloads yet; a adds one"))
    }

    @Test func `R retries failed transfers and shows how many and where they are`() {
        var sitting = Sitting(Self.rows)
        let failed = sitting.board.totals.failed
        expectEqual(sitting.press("R"), ["retryFailed"])
        expectEqual(sitting.message, " \(failed) retried")
        let rows = Self.rows.filter { $0.phase != .cancelled }
        sitting = Sitting(rows)
        sitting.press("4")
        let selected = sitting.selected
        expectEqual(sitting.press("R"), ["retryFailed"])
        expectEqual(sitting.message, " \(failed) retried; press 1 to show all")
        sitting.update(
            rows.map { row in
                var row = row
                if case .failed = row.phase { row.phase = .waiting(.slot) }
                return row
            })
        expectNil(sitting.selected)
        expectEqual(sitting.message, " \(failed) retried; press 1 to show all", "it stays although the rows are gone")
        sitting.press("1")
        expectEqual(sitting.selected, selected, "the cursor is on the row that it was on")
        var good = Sitting([.sample(1, "a", .moving)])
        expect(good.press("R").isEmpty)
    }

    @Test func `m switches the counting mode`() {
        var accurate = Sitting(Self.rows)
        expectEqual(accurate.press("m"), ["setMode(ProgressMode.simple)"])
        var simple = Sitting(Self.rows) { $0.mode = .simple }
        expectEqual(simple.press("m"), ["setMode(ProgressMode.accurate)"])
    }

    @Test func `plus and minus change the requested number of slots before the engine answers`() {
        var sitting = Sitting(Self.rows)
        expectEqual(sitting.press("+"), ["setSlots(5)"])
        expectEqual(sitting.press("+"), ["setSlots(6)"])
        expectEqual(sitting.press("-"), ["setSlots(5)"])
        expect(sitting.message.contains("5 files at a time"))
        sitting.wait(2)
        expectEqual(sitting.press("="), ["setSlots(5)"])
        for _ in 0..<9 { sitting.press("-") }
        expectEqual(sitting.press("-"), ["setSlots(1)"])
        var many = Sitting(Self.rows) { $0.slots = Command.mostSlots - 1 }
        many.press("+")
        expectEqual(many.press("+"), ["setSlots(\(Command.mostSlots))"])
    }

    @Test func `z and Z step through the rate limits, beginning below the current rate`() {
        var sitting = Sitting(Self.rows)
        func limit(_ bytes: Double?) -> String {
            ScreenAction.send(.setRateLimit(bytes.map(ByteRate.init(perSecond:)))).words
        }
        let kibi = 1024.0
        expectEqual(sitting.press("Z"), [limit(nil)])
        expect(sitting.message.contains("There is no total limit"))
        expectEqual(sitting.press("z"), [limit(10 * kibi * kibi)])
        expectEqual(sitting.press("z"), [limit(5 * kibi * kibi)])
        expect(sitting.message.contains("Total limit 5.0 MiB/s"))
        expectEqual(sitting.press("Z", "Z"), [limit(nil)])
        expect(sitting.message.contains("Total limit removed"))
        for (rate, expected) in [(1.2 * kibi * kibi, kibi * kibi), (5000, 10 * kibi)] {
            var moving = Sitting([.sample(1, "a", .moving, rate: rate)])
            expectEqual(moving.press("z"), [limit(expected)])
        }
    }

    @Test(
        arguments: [
            ("?", ["?", "h", "q", .escape, .enter, .function(1)]), ("S", ["S", ",", "q", .escape]),
            ("C", ["C", "q", .escape]), ("l", ["l", .escape]),
        ] as [(Key, [Key])])
    func `that opened a panel closes it, and so do the keys that leave`(opening: Key, closing: [Key]) {
        for key in closing {
            var sitting = sitting(on: 1)
            sitting.press(opening)
            expect(sitting.dashboard.mode != .normal)
            expect(!sitting.press(key).contains("leave"))
            expectEqual(sitting.dashboard.mode, .normal)
        }
    }

    @Test(arguments: [(.control("z"), "suspend"), (.control("l"), "redraw")] as [(Key, String)])
    func `suspends and redraws in every mode`(key: Key, action: String) {
        for opening in [[], ["a"], ["c"], ["?"], ["q"], ["/"], ["x"]] as [[Key]] {
            var sitting = sitting(on: 1)
            for key in opening { sitting.press(key) }
            let mode = sitting.dashboard.mode
            expectEqual(sitting.press(key), [action])
            expectEqual(sitting.dashboard.mode, mode)
        }
    }

    @Test(arguments: ["X", "6", .function(5), .control("x"), .function(6), .delete, "東"] as [Key])
    func `without a meaning does nothing`(key: Key) {
        var sitting = sitting(on: 2)
        let before = sitting.canvas
        expect(sitting.press(key).isEmpty)
        expectEqual(sitting.canvas, before)
    }

    @Test func `on an empty list shows how to begin`() {
        var sitting = Sitting()
        expect(sitting.canvas.text.contains("No downloads yet."))
        expect(sitting.canvas.text.contains("Press a to add URLs, or paste them here"))
        for key in ["j", "G", "[", "]", "+", .pageDown] as [Key] { sitting.press(key) }
        expect(sitting.press("p").isEmpty)
        expect(sitting.message.contains("No downloads yet"))
    }

    @Test func `does nothing to rows hidden in a small window`() {
        var sitting = Sitting(Self.rows, columns: 30, lines: 5)
        expect(sitting.press("p").isEmpty)
        expect(sitting.press("c").isEmpty)
        expect(sitting.press("?").isEmpty)
        expect(sitting.press(.enter).isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.message.contains("The window is too small"))
        expectEqual(sitting.press("P"), ["pauseAll"])
    }
}
