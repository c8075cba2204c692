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

@Suite struct `The columns chosen by the user` {
    @Test func `keep the user's order, as far as they fit`() {
        let choice = ColumnChoice([.size, .name, .left, .rate, .ends, .added, .host])
        for width in 40...300 {
            let fields = ColumnLayout.fitting(width, choice: choice).fields
            let wanted = [ColumnLayout.Column.mark] + choice.columns
            expectEqual(fields.map(\.column), wanted.filter { column in fields.contains { $0.column == column } })
            expect(zip(fields, fields.dropFirst()).allSatisfy { $0.end < $1.start })
            expectEqual(fields.last?.end, width - ScreenLayout(columns: width, rows: 24).margin, "at \(width)")
        }
        expectEqual(ColumnLayout.fitting(120, choice: choice).fields.count, 8)
        expectNil(ColumnLayout.fitting(40, choice: choice)[.added], "the least important goes first")
        expect(ColumnLayout.fitting(40, choice: choice)[.name] != nil)
    }

    @Test(
        arguments: [
            ("", "auto"), ("auto", "auto"), ("name,bar", "name,bar"), (" rate , name rate", "rate,name"),
            ("RATE", "name,rate"),
        ])
    func `are parsed from their names and written the same way`(text: String, expected: String) {
        let (choice, problems) = ColumnChoice.parsing(text)
        expectEqual(choice.text, expected)
        expect(problems.isEmpty)
        expectEqual(ColumnChoice.parsing(choice.text).choice, choice)
    }

    @Test func `omit unknown names and report them`() {
        let (choice, problems) = ColumnChoice.parsing("name,raet,mark,host")
        expectEqual(choice.text, "name,host")
        expectEqual(problems, ["there is no column raet; did you mean rate?", "there is no column mark"])
    }

    @Test func `show a reason in its own column or in place of the figures of moving rows`() {
        let wide = ColumnLayout.fitting(120)
        expectEqual(wide.words, wide[.state].map { $0.start..<119 })
        let narrow = ColumnLayout.fitting(80)
        expectEqual(narrow.words?.lowerBound, narrow[.rate]?.start)
        expectEqual(narrow.words?.upperBound, 79)
        expectNil(ColumnLayout.fitting(40).words)
        let last = ColumnLayout.fitting(120, choice: ColumnChoice([.name, .rate, .host, .state]))
        expectEqual(last.words, last[.state].map { $0.start..<$0.end })
    }
}
