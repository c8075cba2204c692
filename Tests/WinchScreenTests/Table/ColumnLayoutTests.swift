import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `The table's columns` {
    @Test func `never overlap or exceed the screen at any width from 40 to 300`() {
        for width in 40...300 {
            let layout = ColumnLayout.fitting(width)
            var end = -1
            for field in layout.fields {
                expectMore(field.start, than: end, "\(field.column) at \(width)")
                expectAtLeast(field.width, field.column.traits.least)
                end = field.end
            }
            // The whole width is used, except for the margin.
            expectEqual(end, width - ScreenLayout(columns: width, rows: 24).margin, "at \(width)")
        }
    }

    @Test func `disappear in a fixed order as the width decreases`() {
        let order: [ColumnLayout.Column] = [.graph, .host, .state, .done, .size, .left, .rate]
        var gone: [ColumnLayout.Column] = []
        for width in stride(from: 300, through: 40, by: -1) {
            let shown = Set(ColumnLayout.fitting(width).fields.map(\.column))
            for column in ColumnLayout.Column.standard.reversed()
            where !shown.contains(column) && !gone.contains(column) { gone.append(column) }
            expect(gone.allSatisfy { !shown.contains($0) })
        }
        expectEqual(gone, order)
    }

    @Test(arguments: [(40, 4), (51, 4), (52, 5), (64, 6), (78, 7), (104, 9), (150, 10), (180, 11), (300, 11)])
    func `appear from a minimum width`(width: Int, count: Int) {
        expectEqual(ColumnLayout.fitting(width).fields.count, count)
    }

    @Test func `grow with the width while the set of columns is the same`() {
        for width in 41...300 {
            let (before, after) = (ColumnLayout.fitting(width - 1), ColumnLayout.fitting(width))
            guard before.fields.count == after.fields.count, width != 60 else { continue }
            for (old, new) in zip(before.fields, after.fields) {
                expectAtLeast(new.width, old.width - 1, "\(new.column) at \(width)")
            }
        }
    }

    @Test func `include the folder where there are several, and use the whole width then too`() {
        expectNil(ColumnLayout.fitting(139, hasFolders: true)[.folder])
        for width in 140...300 {
            let layout = ColumnLayout.fitting(width, hasFolders: true)
            expect(layout[.folder] != nil)
            expectEqual(layout.fields.last?.end, width - ScreenLayout(columns: width, rows: 24).margin, "at \(width)")
        }
        expectNil(ColumnLayout.fitting(200, choice: ColumnChoice([.name]), hasFolders: true)[.folder])
    }

    @Test func `offers no column for machines to a run of its own`() {
        expect(!ColumnChoice.all.contains("machine"))
        expectEqual(ColumnChoice.parsing("name machine").problems.count, 1)
        expectNil(ColumnLayout.fitting(120)[.machine])
        expect(ColumnLayout.fitting(120, isFleet: true)[.machine] != nil)
    }
}
