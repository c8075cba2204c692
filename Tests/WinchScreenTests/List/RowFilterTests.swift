import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A row filter` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "Debian-12.iso", .moving, host: "cdimage.debian.org"),
        .sample(2, "linux-6.8.tar.xz", .waiting(.slot), host: "cdn.kernel.org"),
        .sample(3, "failed-states.txt", .finished(.saved(path: "x")), host: "Mirror.example.org:8080"),
        .sample(4, "notes.txt", .failed(.httpStatus(404)), host: "mirror.example.org:8080"),
        .sample(5, "Résumé.PDF", .paused, host: "mirror.example.org"),
        .sample(6, "later.bin", .waiting(.held), host: "cdn.kernel.org"),
        .sample(7, "again.bin", .backoff(until: .at(9), attempt: 2, limit: 5, failure: .httpStatus(503))),
        .sample(8, "slow.bin", .moving, stalled: -5, host: "x"), .sample(9, "gone.bin", .cancelled, host: "x"),
        .sample(10, "there.bin", .finished(.skipped(path: "x")), host: "x"),
    ]

    @Test(
        arguments: [
            ("", 1...10), ("  ", 1...10), ("debian", [1]), ("DEBIAN", [1]), ("kernel", []), ("host:kernel", [2, 6]),
            ("!mirror", 1...10), ("résumé", [5]),
            ("RÉSUMÉ.pdf", [5]), ("name:txt", [3, 4]), ("host:mirror", [3, 4, 5, 7]), ("host:8080", [3, 4]),
            (":8080", []), ("state:failed", [4]), ("state:fa", [4]), ("failed", [3, 4]), ("paus", []),
            ("paused", [5]), ("state:waiting", [2, 6, 7]), ("state:held", [6]), ("state:active", [1, 8]),
            ("state:stalled", [8]), ("state:done", [3, 10]), ("state:skipped", [10]), ("state:cancel", [9]),
            ("state:retrying", [7]), ("STATE:Done", [3, 10]), ("!state:done", [1, 2, 4, 5, 6, 7, 8, 9]),
            ("!!state:done", [3, 10]), ("!bin !txt", [1, 2, 5]), ("bin !host:cdn", [7, 8, 9, 10]),
            ("txt state:failed", [4]),
            ("no-such", []), ("state:no-such", []),
        ] as [(String, any Sequence<Int> & Sendable)])
    func `shows rows that match all of its words`(text: String, expected: any Sequence<Int> & Sendable) {
        let filter = RowFilter(text)
        expectEqual(Self.rows.filter { filter.matches($0) }.map(\.id.number), expected.map { $0 })
    }

    @Test(arguments: ["state:", "!state:", "name:", "host:", "!", "!!", "state: name: !"])
    func `that is incomplete hides nothing`(text: String) {
        expect(RowFilter(text).isEmpty)
        expect(Self.rows.allSatisfy { RowFilter(text).matches($0) })
    }

    @Test func `narrows the table with every key and is shown in the header`() {
        var sitting = Sitting(Self.rows)
        sitting.press("/")
        expectEqual(sitting.footer, " Filter:")
        sitting.type("txt")
        expectEqual(sitting.dashboard.list.order.map(\.number), [3, 4])
        expect(sitting.lines[3].contains("filter txt (2)"))
        sitting.press(.backspace, .backspace)
        expectEqual(sitting.dashboard.list.order.map(\.number), [2, 3, 4, 6, 10])
        sitting.type("xt")
        sitting.press(.enter)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.lines[3].contains("filter txt (2)"))
        expectEqual(sitting.lines.count { $0.contains(".bin") }, 0)
        sitting.handle(.resized(columns: 40, rows: 10))
        expect(sitting.lines[0].contains("filter txt (2)"))
    }

    @Test func `is edited further with slash and cleared by Esc`() {
        var sitting = Sitting(Self.rows)
        sitting.press("/")
        sitting.type("bin")
        sitting.press(.enter, "/", .paste("\nstate:held"))
        expectEqual(sitting.dashboard.list.order.map(\.number), [6])
        sitting.press(.escape)
        expect(sitting.dashboard.list.isInQueueOrder)
        sitting.press("/")
        sitting.type("bin")
        sitting.press(.enter, .escape)
        expect(sitting.dashboard.list.isInQueueOrder)
        expect(!sitting.canvas.text.contains("filter bin"))
    }

    @Test func `allows the cursor to move while it is typed, but no actions`() {
        var sitting = Sitting(Self.rows)
        sitting.press("/")
        sitting.type("bin")
        sitting.press(.down, .down, .up)
        expectEqual(sitting.selected, 7)
        expect(sitting.press("p", "d", "q").isEmpty)
        expectEqual(sitting.dashboard.list.filterText, "binpdq")
    }

    @Test func `is updated when rows change, and says how it is cleared when none matches`() {
        var sitting = Sitting(Self.rows)
        sitting.press("/")
        sitting.type("state:active")
        sitting.press(.enter)
        var rows = Self.rows
        rows[0].phase = .finished(.saved(path: "x"))
        rows[1].phase = .connecting
        sitting.update(Update(rows: [rows[0].id: rows[0], rows[1].id: rows[1]], totals: .counted(rows), at: .at(1)))
        expectEqual(sitting.dashboard.list.order.map(\.number), [2, 8])
        rows.append(.sample(11, "new", .moving))
        sitting.update(rows)
        expectEqual(sitting.dashboard.list.order.map(\.number), [2, 8, 11])
        sitting.update([.sample(1, "a", .paused)])
        expect(sitting.canvas.text.contains("No rows match state:active."))
        expectNil(sitting.selected)
    }
}

@Suite struct `The list's tabs` {
    @Test func `are switched cyclically with Tab and Shift-Tab, and chosen by their numbers`() {
        var sitting = Sitting(Scenes.busy)
        for (key, view) in zip("54321", ListTab.allCases.reversed()) {
            sitting.press(.character(key))
            expectEqual(sitting.dashboard.list.view, view)
        }
        for view in [ListTab.active, .waiting, .failed, .done, .all] {
            sitting.press(.tab)
            expectEqual(sitting.dashboard.list.view, view)
        }
        sitting.press(.backTab)
        expectEqual(sitting.dashboard.list.view, .done)
    }

    @Test func `contain each row exactly once`() {
        for row in Scenes.busy {
            let views = ListTab.allCases.dropFirst().filter { $0.contains(row.phase) }
            expectEqual(views.count, 1, "\(row.name)")
        }
    }

    @Test func `have cancelled rows with the failed ones`() {
        var sitting = Sitting(Scenes.busy, columns: 120)
        expect(sitting.lines[3].contains("4 Failed 3"))
        sitting.press("4")
        expectEqual(sitting.dashboard.list.order, [9, 10, 14].map { TransferID($0) })
    }

    @Test func `show a message when they are empty`() {
        var sitting = Sitting([.sample(1, "a", .moving)])
        sitting.press("4")
        expect(sitting.canvas.text.contains("No download has failed or was cancelled."))
        expect(sitting.canvas.text.contains("Press 1 to show all downloads."))
    }

    @Test func `restore the previous selection when they are left`() {
        var sitting = Sitting(Scenes.many(100))
        for _ in 0..<50 { sitting.press("j") }
        sitting.press("4")
        expectNil(sitting.selected)
        sitting.update(Scenes.many(100))
        sitting.press("1")
        expectEqual(sitting.selected, 51)
        expect(sitting.lines.contains { $0.contains("▸") && $0.contains("file-51.bin") })
        var busy = Sitting(Scenes.busy)
        busy.press("j", "4")
        expectEqual(busy.selected, 9)
        busy.press("3", "1")
        expectEqual(busy.selected, 2)
        busy.press("4", "j", "1")
        expectEqual(busy.selected, 10, "a selection made in a tab is kept")
    }

    @Test func `store bars only for visible rows of ten thousand`() {
        var sitting = Sitting(Scenes.many(10_000))
        expectEqual(sitting.dashboard.motions.count, sitting.dashboard.layout.table.count)
        sitting.press("G")
        expectEqual(sitting.dashboard.motions.count, sitting.dashboard.layout.table.count)
        expect(sitting.lines.contains { $0.contains("file-10000.bin") })
        expect(sitting.lines[4].contains("Name"))
    }
}
