import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Row tags` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "moving", .moving, have: 10, of: 100), .sample(2, "waiting"), .sample(3, "paused", .paused),
        .sample(4, "failed", .failed(.httpStatus(500))),
        .sample(5, "done", .finished(.saved(path: "x")), have: 5, of: 5), .sample(6, "cancelled", .cancelled),
    ]

    /// A dashboard on which these rows are tagged.
    private func sitting(_ numbers: Set<Int>, columns: Int = 100) -> Sitting {
        var sitting = Sitting(Self.rows, columns: columns)
        for number in 1...6 { sitting.press(numbers.contains(number) ? " " : "j") }
        sitting.press("g")
        return sitting
    }

    private func ids(_ numbers: Int...) -> String {
        "[" + numbers.map { "TransferID(number: \($0))" }.joined(separator: ", ") + "]"
    }

    @Test func `are toggled by the space bar, which moves to the next row, and are shown`() {
        var sitting = sitting([1, 3])
        expectEqual(sitting.dashboard.tags.map(\.number).sorted(), [1, 3])
        expect(sitting.lines[3].contains("▌ 2 tagged"))
        expectEqual(sitting.lines.dropFirst(5).filter { $0.contains("▌") }.count, 2)
        expect(sitting.lines.contains { $0.contains("▸▌↓ moving") })
        sitting.press(" ")
        expectEqual(sitting.dashboard.tags.map(\.number), [3])
        expectEqual(sitting.selected, 2)
        var ascii = Sitting(Self.rows, look: Appearance(isASCII: true))
        ascii.press(" ")
        expect(ascii.lines.contains { $0.contains("* v moving") })
    }

    @Test func `are removed singly with u, all with U, and set on all shown rows with the asterisk`() {
        var sitting = sitting([1, 3])
        sitting.press("u")
        expectEqual(sitting.dashboard.tags.map(\.number), [3])
        sitting.press("u")
        expect(sitting.message.contains("This one is not tagged: U untags all"))
        sitting.press("U")
        expect(sitting.dashboard.tags.isEmpty)
        expect(sitting.message.contains("Untagged 1"))
        sitting.press("4", "*")
        expectEqual(sitting.dashboard.tags.map(\.number).sorted(), [4, 6])
        expect(sitting.message.contains("Tagged 2 shown"))
        sitting.press("1", "*")
        expectEqual(sitting.dashboard.tags.count, 6)
    }

    @Test func `survive sorting, filters and tabs, and are removed with their rows`() {
        var sitting = sitting([1, 4, 5])
        sitting.press(">", "4", "/")
        sitting.type("x")
        sitting.press(.escape, "1")
        expectEqual(sitting.dashboard.tags.map(\.number).sorted(), [1, 4, 5])
        var update = Update.all(Self.rows.filter { $0.id.number != 5 })
        update.removed = [TransferID(5)]
        sitting.update(update)
        expectEqual(sitting.dashboard.tags.map(\.number).sorted(), [1, 4])
    }

    @Test(
        arguments: [
            ("p", [1, 2, 3, 5], "pause([1, 2])", "2 downloads paused"),
            ("p", [3, 5], "resume([3])", "1 download resumed"),
            ("p", [4, 5], nil, "Nothing to pause: none of the tagged is active or waiting"),
            ("r", [1, 4, 6], "retry([4, 6])", "2 retried"),
            ("r", [1, 5], nil, "Nothing to retry: none of the tagged has failed"),
            ("c", [5, 6], nil, "Nothing to cancel: all tagged have finished"),
            ("d", [1, 4, 5, 6], "remove([4, 5, 6])", "3 downloads taken off the list; b undoes it"),
            ("d", [1, 2], nil, "Only finished, failed or cancelled rows can be removed"),
            ("[", [2, 3], "shift([2, 3], QueueShift.earlier)", "2 downloads moved"),
            ("]", [1, 3, 5], "shift([1, 3], QueueShift.later)", "2 downloads moved"),
            ("{", [2, 3], "shift([2, 3], QueueShift.first)", "2 downloads moved"),
            ("}", [2, 3], "shift([2, 3], QueueShift.last)", "2 downloads moved"),
            ("{", [1, 2], nil, "They are already the first in the queue"),
            ("[", [1, 3], "shift([1, 3], QueueShift.earlier)", "1 download moved"),
            ("{", [5], nil, "Nothing to move: all tagged are done"),
            ("}", [4, 6], "shift([4, 6], QueueShift.last)", "1 download moved"),
            ("x", [5], nil, "Nothing to limit: all tagged are done"),
        ] as [(Character, Set<Int>, String?, String)])
    func `make keys act on all tagged rows, with their number in the notice`(
        key: Character, tags: Set<Int>, command: String?, notice: String
    ) {
        var sitting = sitting(tags)
        let actions = sitting.press(.character(key)).map { words in
            (1...6).reduce(words) { $0.replacing("TransferID(number: \($1))", with: String($1)) }
        }
        expectEqual(actions, (command.map { [$0] } ?? []))
        expect(sitting.message.contains(notice), "\(sitting.message)")
    }

    @Test(
        arguments: [
            ([1, 3], ["p pause", "c cancel"], ["r retry", "d off"]), ([3, 5], ["p resume", "c cancel"], ["p pause"]),
            ([5], ["d off"], ["p pause", "c cancel", "x limit"]), ([4, 5], ["r retry", "d off"], ["p ", "c cancel"]),
            ([2], ["p pause", "x limit"], ["r retry", "d off"]),
        ] as [(Set<Int>, [String], [String])])
    func `have the keys in the last line that have an effect on them`(
        tags: Set<Int>, offered: [String], missing: [String]
    ) {
        let footer = sitting(tags, columns: 160).footer
        for key in offered { expect(footer.contains(" " + key), "\(key): \(footer)") }
        for key in missing { expect(!footer.contains(" " + key), "\(key): \(footer)") }
    }

    @Test func `have other keys when their states change, or they leave the list`() {
        var sitting = sitting([1, 2], columns: 160)
        var rows = Self.rows
        for index in 0...1 { rows[index].phase = .paused }
        sitting.update(Update(rows: [rows[0].id: rows[0]], totals: .counted(rows), at: .at(1)))
        expect(sitting.footer.contains(" p pause"))
        sitting.update(Update(rows: [rows[1].id: rows[1]], totals: .counted(rows), at: .at(2)))
        expect(sitting.footer.contains(" p resume"))
        rows[1].phase = .finished(.saved(path: "x"))
        sitting.update(rows)
        var update = Update.all(Array(rows.dropFirst()))
        update.removed = [TransferID(1)]
        sitting.update(update)
        expect(sitting.footer.contains(" d off") && !sitting.footer.contains(" p "), "\(sitting.footer)")
    }

    @Test(
        arguments: [([.up, .up], "2 uploads"), ([.down, .up], "2 transfers"), ([.down, .down], "2 downloads")]
            as [([Direction], String)])
    func `are called by their directions`(directions: [Direction], noun: String) {
        let rows = directions.enumerated().map { TransferSnapshot.sample($0 + 1, "row", direction: $1) }
        var sitting = Sitting(rows)
        sitting.press("*", "p")
        expect(sitting.message.contains("\(noun) paused"))
    }

    @Test func `hidden by a filter are still acted on, and the notice says so`() {
        var sitting = sitting([1, 2])
        sitting.press("/")
        sitting.type("moving")
        sitting.press(.enter)
        expectEqual(sitting.press("p"), ["pause(\(ids(1, 2)))"])
        expect(sitting.message.contains("2 downloads paused (1 not shown)"))
        sitting.press("c")
        expect(sitting.canvas.text.contains("Cancel 2 tagged downloads (1 not shown)"))
    }

    @Test func `receive the same typed rate limit`() {
        var sitting = sitting([1, 2])
        sitting.press("x")
        expect(sitting.footer.contains("Rate limit for each of 2 tagged"))
        sitting.type("500K")
        let limit = ByteRate(perSecond: 500 * 1024)
        expectEqual(
            sitting.press(.enter), [ScreenAction.send(.setRateLimitEach([TransferID(1), TransferID(2)], limit)).words])
        expect(sitting.message.contains("Limit 500 KiB/s for each of 2 downloads"))
    }

    @Test func `of finished transfers receive no rate limit, nor do those that finish while it is typed`() {
        var sitting = sitting([1, 2, 4, 5])
        sitting.press("x")
        expect(sitting.footer.contains("Rate limit for each of 3 tagged"))
        sitting.type("500K")
        var rows = Self.rows
        rows[1].phase = .finished(.saved(path: "x"))
        sitting.update(rows)
        let limit = ByteRate(perSecond: 500 * 1024)
        expectEqual(
            sitting.press(.enter), [ScreenAction.send(.setRateLimitEach([TransferID(1), TransferID(4)], limit)).words])
        expect(sitting.message.contains("for each of 2 downloads"))
        sitting.press("x")
        for index in [0, 3] { rows[index].phase = .finished(.saved(path: "x")) }
        sitting.update(rows)
        expect(sitting.message.contains("They have finished meanwhile"))
        expectEqual(sitting.dashboard.mode, .normal)
    }
}

@Suite struct `Removing rows from the list` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "moving", .moving, have: 10, of: 100),
        .sample(2, "done", .finished(.saved(path: "x")), have: 5, of: 5),
        .sample(3, "failed", .failed(.httpStatus(500))),
        .sample(4, "skipped", .finished(.skipped(path: "x")), have: 5, of: 5),
    ]

    @Test func `applies to all finished rows with D and keeps failed ones`() {
        var sitting = Sitting(Self.rows)
        expectEqual(sitting.press("D"), ["remove([TransferID(number: 2), TransferID(number: 4)])"])
        expect(sitting.message.contains("2 finished downloads taken off the list"))
        var early = Sitting([.sample(1, "a", .moving)])
        expect(early.press("D").isEmpty)
        expect(early.message.contains("Nothing has finished yet"))
    }

    @Test func `is undone with b if rows were removed`() {
        var sitting = Sitting(Self.rows)
        sitting.update(Self.rows) { $0.restorable = 3 }
        expect(sitting.footer.contains("b undo"))
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("3 transfers restored"))
    }

    @Test func `is not undone with b after another dashboard has undone it`() {
        var sitting = Sitting(Self.rows)
        sitting.press("D")
        var update = Update.all(Self.rows.filter { $0.id.number % 2 == 1 }) { $0.restorable = 2 }
        update.removed = [TransferID(2), TransferID(4)]
        sitting.update(update)
        sitting.update(Self.rows) { $0.restorable = 0 }
        expectEqual(sitting.press("b"), [])
        expect(sitting.message.contains("Nothing to restore"))
    }
}

@Suite struct `Cancelling a transfer` {
    private static let moving = TransferSnapshot.sample(1, "moving", .moving, have: 10, of: 100)
    private static let checking = TransferSnapshot.sample(2, "checking", .verifying, have: 10, of: 10)

    @Test func `can be undone before the engine has answered`() {
        var sitting = Sitting([Self.moving])
        expectEqual(sitting.press("c", "y"), ["cancel([TransferID(number: 1)])"])
        expect(sitting.message.contains("moving cancelled; b undoes it"))
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download restored"))
        expectEqual(sitting.press("b"), [], "once")
        expect(sitting.message.contains("Nothing to restore"))
    }

    @Test func `starts again from zero once its partial file is deleted, and says so`() {
        var row = Self.moving
        var sitting = Sitting([row])
        sitting.press("c", "y")
        row.phase = .cancelled
        sitting.update([row]) { $0.restorable = 1 }
        sitting.wait(12)
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download starts again from 0"))
        expect(!sitting.message.contains("restored"))
    }

    @Test func `with others is restored with them, and those that start from zero are counted among them`() {
        var rows = [Self.moving, .sample(3, "new")]
        var sitting = Sitting(rows)
        sitting.press("*", "c", "y")
        for index in rows.indices { rows[index].phase = .cancelled }
        sitting.update(rows) { $0.restorable = 2 }
        sitting.wait(12)
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("2 downloads restored, 1 of them from 0"), "\(sitting.message)")
    }

    @Test func `starts again from zero also when a later one was undone before`() {
        var rows = [Self.moving, .sample(3, "later", .moving, have: 10, of: 100)]
        var sitting = Sitting(rows)
        for index in rows.indices {
            sitting.press("g")
            if index > 0 { sitting.press("j") }
            sitting.press("c", "y")
            rows[index].phase = .cancelled
            sitting.update(rows) { $0.restorable = 1 }
            sitting.wait(12)
        }
        expectEqual(sitting.press("b"), ["restore"])
        rows[1].phase = .moving
        sitting.update(rows) { $0.restorable = 1 }
        expectEqual(sitting.press("b"), ["restore"])
        expect(sitting.message.contains("1 download starts again from 0"))
    }

    @Test func `that is being verified offers no undo`() {
        var sitting = Sitting([Self.checking])
        sitting.press("c", "y")
        expect(sitting.message.contains("checking cancelled") && !sitting.message.contains("b undoes"))
        var both = Sitting([Self.moving, Self.checking])
        expectEqual(both.press("*", "c", "y"), ["cancel([TransferID(number: 1), TransferID(number: 2)])"])
        expect(both.message.contains("2 downloads cancelled; b undoes 1 of them"))
    }
}
