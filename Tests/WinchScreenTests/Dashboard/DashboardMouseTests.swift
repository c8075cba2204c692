import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The mouse` {
    @Test func `selects the row that is clicked`() {
        var sitting = Sitting(Scenes.many(100))
        for name in ["file-3.", "file-1.", "file-4."] {
            sitting.click(name)
            expect(sitting.lines.contains { $0.contains("▸") && $0.contains(name) })
        }
        expectEqual(sitting.selected, 4)
    }

    @Test func `sorts by a clicked heading, and inverts the order on a second click`() {
        var sitting = Sitting(Scenes.busy, columns: 160, lines: 40)
        let table: [(String, RowSort.Column)] = [
            ("Name", .name), ("Progress", .done), ("Done", .done), ("Size", .size), ("Rate", .rate), ("Left", .left),
            ("State", .state), ("Host", .host),
        ]
        for (heading, column) in table {
            sitting.click(heading)
            expectEqual(sitting.dashboard.list.sort, RowSort(column: column))
            sitting.click(heading)
            expectEqual(sitting.dashboard.list.sort, RowSort(column: column, isInverted: true))
        }
    }

    @Test func `opens a clicked tab`() {
        var sitting = Sitting(Scenes.busy)
        for view in ListTab.allCases.reversed() {
            sitting.click("\(view.word) \(view.count(in: sitting.board.totals, isGrouped: false))")
            expectEqual(sitting.dashboard.list.view, view)
        }
    }

    @Test func `triggers the key of a clicked hint`() {
        var sitting = Sitting([.sample(1, "a", .moving)])
        expectEqual(sitting.click("p pause"), ["pause([TransferID(number: 1)])"])
        sitting.click("c cancel", at: 3)
        expectEqual(sitting.dashboard.mode, .question(.cancel([TransferID(1)])))
        expectEqual(sitting.click("y yes"), ["cancel([TransferID(number: 1)])"])
        sitting.click("? help")
        expectEqual(sitting.dashboard.mode, .help(top: 0))
        sitting.click("Esc back")
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `does not reach what lies behind an open panel`() {
        var sitting = Sitting(Scenes.many(30))
        sitting.press("?")
        for row in 0..<23 { expect(sitting.press(.mouse(.click(column: 30, row: row))).isEmpty) }
        expectEqual(sitting.selected, 1)
        expect(sitting.dashboard.list.isInQueueOrder)
    }

    @Test func `has no effect outside all targets`() {
        var sitting = Sitting(Scenes.many(3))
        let before = sitting.canvas
        for (column, row) in [(-1, -1), (500, 3), (3, 500), (0, 20), (.max, .max)] {
            expect(sitting.press(.mouse(.click(column: column, row: row))).isEmpty)
        }
        expectEqual(sitting.canvas, before)
    }

    @Test func `scrolls with its wheel and keeps the cursor while it is in view`() {
        var sitting = Sitting(Scenes.many(100))
        for _ in 0..<6 { sitting.press("j") }
        sitting.press(.mouse(.wheelDown))
        expectEqual(sitting.dashboard.selection.top, 3)
        expectEqual(sitting.selected, 7)
        sitting.press(.mouse(.wheelDown), .mouse(.wheelDown))
        expectEqual(sitting.dashboard.selection.top, 9)
        expect(sitting.lines.contains { $0.contains("▸") })
        for _ in 0..<60 { sitting.press(.mouse(.wheelDown)) }
        expect(sitting.lines.contains { $0.contains("file-100.bin") })
        for _ in 0..<60 { sitting.press(.mouse(.wheelUp)) }
        expectEqual(sitting.dashboard.selection.top, 0)
        var help = Sitting(Scenes.many(3))
        help.press("?", .mouse(.wheelDown))
        expectEqual(help.dashboard.mode, .help(top: min(3, help.dashboard.helpPanel.lastTop)))
    }

    @Test func `is released to the terminal by the percent sign, and taken back`() {
        var sitting = Sitting(Scenes.many(3))
        expectEqual(sitting.press("%"), ["mouse false"])
        expect(sitting.message.contains("Mouse off"))
        expectEqual(sitting.press("%"), ["mouse true"])
    }

    @Test func `hits each row, heading and tab exactly where it is drawn, at any size`() {
        for (columns, lines) in [(40, 8), (52, 12), (80, 24), (100, 16), (150, 50), (300, 20)] {
            let sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
            let canvas = sitting.canvas
            let layout = sitting.dashboard.layout
            for (row, id) in zip(layout.table, sitting.dashboard.visible(sitting.board)) {
                for column in [0, columns / 2, columns - 1] {
                    expectEqual(canvas.hits.target(column: column, row: row), .row(id))
                }
            }
            for field in ColumnLayout.fitting(columns).fields {
                let target = canvas.hits.target(column: field.start, row: layout.heading)
                expectEqual(target, .column(field.column.traits.sort))
            }
        }
    }
}
