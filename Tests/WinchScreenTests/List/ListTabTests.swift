import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The list's tabs` {
    @Test func `are switched cyclically with Tab and Shift-Tab`() {
        var sitting = Sitting(Scenes.busy)
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
