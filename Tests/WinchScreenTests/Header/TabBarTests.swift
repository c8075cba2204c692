import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The bar of the tabs` {
    @Test(arguments: [(.all, "1"), (.active, "2"), (.waiting, "3"), (.failed, "4"), (.done, "5")] as [(ListTab, Key)])
    func `contain the number of rows that they show`(view: ListTab, key: Key) {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 40)
        sitting.press(key)
        let count = sitting.dashboard.list.order.count
        expect(sitting.lines[3].contains("▐\(view.rawValue + 1) \(view.word) \(count)▌"))
        expectEqual(count, view.count(in: sitting.board.totals, isGrouped: false))
        expect(sitting.dashboard.list.order.allSatisfy { sitting.board[$0].map { view.contains($0.phase) } ?? false })
    }

    /// Two files that wait, and folders that are listed, wait, and were listed.
    @Test(
        arguments: [(false, [6, 1, 4, 0, 1]), (true, [2, 0, 2, 0, 0])] as [(Bool, [Int])])
    func `count folders that are listed as rows, and in a queue with files only where they have lines`(
        isGrouped: Bool, counts: [Int]
    ) {
        let phases: [TransferPhase] = [
            .connecting, .waiting(.slot), .paused, .finished(.listed(path: "p/", Found())),
        ]
        var rows: [TransferSnapshot] = [.sample(1, "a"), .sample(2, "b", .paused)]
        rows += phases.enumerated().map { .sample($0 + 3, "p\($0)/", $1) }
        for index in rows.indices { rows[index].folder = rows[index].isListing ? "p\(index - 2)" : "d" }
        var sitting = Sitting(columns: 120, lines: 40)
        sitting.press("f")
        if !isGrouped { sitting.press("f") }
        var update = Update.all(rows)
        update.totals = .counted(Array(rows.prefix(2)))
        update.totals.listings = QueueTotals.Listings(open: 3, done: 1, failed: 0, paused: 1, active: 1)
        sitting.update(update)
        for (view, count) in zip(ListTab.allCases, counts) {
            sitting.press(.character(Character(String(view.rawValue + 1))))
            expect(sitting.lines[3].contains("▐\(view.rawValue + 1) \(view.word) \(count)▌"), "\(sitting.lines[3])")
            let list = sitting.dashboard.list
            if !isGrouped || view != .all { expectEqual(list.count, count, "\(view)") }
        }
    }

    @Test func `are reduced in a low window to the selected one`() {
        var sitting = Sitting(Scenes.busy, columns: 80, lines: 12)
        expect(!sitting.lines[0].contains("["))
        sitting.press("4")
        expect(sitting.lines[0].contains("[Failed 3]"))
    }

    @Test func `show the selected one, the filter and the tags at any width`() {
        for width in 40...300 {
            var sitting = Sitting(Scenes.busy, columns: width, lines: 20)
            sitting.press("5", " ", "/")
            sitting.type("a")
            sitting.press(.enter)
            expect(sitting.lines[3].contains("filter a") && sitting.lines[3].contains("tagged"), "at \(width)")
            if width >= 60 { expect(sitting.lines[3].contains("▐5 Done 2▌"), "at \(width)") }
        }
    }
}
