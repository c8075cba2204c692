import Testing

@testable import WinchScreen

@Suite struct `The table's columns` {
    @Test func `never overlap or exceed the screen at any width from 40 to 300`() {
        for width in 40...300 {
            let layout = ColumnLayout.fitting(width)
            var end = -1
            for field in layout.fields {
                #expect(field.start > end, "\(field.column) at \(width)")
                #expect(field.width >= field.column.least)
                end = field.end
            }
            #expect(end <= width)
            // The whole width is used, except for the margin.
            #expect(end == width - ScreenLayout(columns: width, rows: 24).margin, "at \(width)")
        }
    }

    @Test func `disappear in a fixed order as the width decreases`() {
        let order: [ColumnLayout.Column] = [.graph, .host, .state, .done, .size, .left, .rate]
        var gone: [ColumnLayout.Column] = []
        for width in stride(from: 300, through: 40, by: -1) {
            let shown = Set(ColumnLayout.fitting(width).fields.map(\.column))
            for column in ColumnLayout.Column.standard.reversed()
            where !shown.contains(column) && !gone.contains(column) { gone.append(column) }
            #expect(gone.allSatisfy { !shown.contains($0) })
        }
        #expect(gone == order)
    }

    @Test(arguments: [(40, 4), (51, 4), (52, 5), (64, 6), (78, 7), (104, 9), (150, 10), (180, 11), (300, 11)])
    func `appear from a minimum width`(width: Int, count: Int) {
        #expect(ColumnLayout.fitting(width).fields.count == count)
    }

    @Test func `include a file's size at 80 columns and leave a third of the line to names`() {
        let layout = ColumnLayout.fitting(80)
        #expect(layout[.size] != nil)
        #expect((layout[.name]?.width ?? 0) >= 24)
    }

    @Test func `grow with the width while the set of columns is the same`() {
        for width in 41...300 {
            let (before, after) = (ColumnLayout.fitting(width - 1), ColumnLayout.fitting(width))
            guard before.fields.count == after.fields.count, width != 60 else { continue }
            for (old, new) in zip(before.fields, after.fields) {
                #expect(new.width >= old.width - 1, "\(new.column) at \(width)")
            }
        }
    }

    @Test func `on a wide screen give the space to bar and name`() {
        let layout = ColumnLayout.fitting(300)
        #expect((layout[.bar]?.width ?? 0) >= 48)
        #expect((layout[.name]?.width ?? 0) >= 50)
    }
}

@Suite struct `The columns chosen by the user` {
    @Test func `keep the user's order, as far as they fit`() {
        let choice = ColumnChoice([.size, .name, .left, .rate, .ends, .added, .host])
        for width in 40...300 {
            let fields = ColumnLayout.fitting(width, choice: choice).fields
            let wanted = [ColumnLayout.Column.mark] + choice.columns
            #expect(fields.map(\.column) == wanted.filter { column in fields.contains { $0.column == column } })
            #expect(zip(fields, fields.dropFirst()).allSatisfy { $0.end < $1.start })
            #expect(fields.last?.end == width - ScreenLayout(columns: width, rows: 24).margin, "at \(width)")
        }
        #expect(ColumnLayout.fitting(120, choice: choice).fields.count == 8)
        #expect(ColumnLayout.fitting(40, choice: choice)[.added] == nil, "the least important goes first")
        #expect(ColumnLayout.fitting(40, choice: choice)[.name] != nil)
    }

    @Test(
        arguments: [
            ("", "auto"), ("auto", "auto"), ("name,bar", "name,bar"), (" rate , name rate", "rate,name"),
            ("RATE", "name,rate"),
        ])
    func `are parsed from their names and written the same way`(text: String, expected: String) {
        let (choice, problems) = ColumnChoice.parsing(text)
        #expect(choice.text == expected)
        #expect(problems.isEmpty)
        #expect(ColumnChoice.parsing(choice.text).choice == choice)
    }

    @Test func `omit unknown names and report them`() {
        let (choice, problems) = ColumnChoice.parsing("name,raet,mark,host")
        #expect(choice.text == "name,host")
        #expect(problems == ["there is no column raet; did you mean rate?", "there is no column mark"])
    }

    @Test func `show a reason in its own column or in place of the figures of moving rows`() {
        let wide = ColumnLayout.fitting(120)
        #expect(wide.words == wide[.state].map { $0.start..<119 })
        let narrow = ColumnLayout.fitting(80)
        #expect(narrow.words?.lowerBound == narrow[.rate]?.start)
        #expect(narrow.words?.upperBound == 79)
        #expect(ColumnLayout.fitting(40).words == nil)
        let last = ColumnLayout.fitting(120, choice: ColumnChoice([.name, .rate, .host, .state]))
        #expect(last.words == last[.state].map { $0.start..<$0.end })
    }
}

@Suite struct `The lines of the screen layout` {
    @Test func `are within the screen at every size`() {
        for rows in 0...100 {
            for columns in [0, 1, 39, 40, 59, 60, 300] {
                let layout = ScreenLayout(columns: columns, rows: rows)
                #expect(layout.footer <= max(0, rows - 1))
                #expect(layout.table.isEmpty || layout.table.upperBound <= layout.footer)
                #expect((layout.form == .line) == (columns < 40 || rows < 8))
                if layout.form != .line { #expect(layout.table.count >= 4) }
            }
        }
    }
}

@Suite struct `A line made of parts` {
    private func line(_ left: [(String, Int)], _ right: [(String, Int)] = [], width: Int, least: Int? = nil) -> String {
        func part(_ text: String, _ rank: Int) -> Part {
            Part([Run(SafeText(text), .plain)], rank: rank, least: rank == 1 ? least : nil)
        }
        var canvas = Canvas(columns: width, rows: 1)
        StyledLine(
            left: left.map(part), right: right.map(part), separator: Run(SafeText(" · "), .plain)
        ).draw(on: &canvas, column: 0, row: 0, width: width)
        return canvas.lines[0]
    }

    @Test func `keeps its left and right side apart`() {
        #expect(line([("a", 2), ("b", 3)], [("c", 4)], width: 12) == "a · b      c")
    }

    @Test func `drops the parts of lowest priority first`() {
        let parts = [("one", 9), ("two", 2), ("three", 5)]
        #expect(line(parts, [("four", 7)], width: 30) == "one · two · three         four")
        #expect(line(parts, [("four", 7)], width: 20) == "one · three     four")
        #expect(line(parts, [("four", 7)], width: 12) == "one     four")
        #expect(line(parts, [("four", 7)], width: 6) == "one")
        #expect(line(parts, [("four", 7)], width: 2) == "o…")
    }

    @Test func `shortens a part that allows it before it drops any`() {
        #expect(
            line([("name", 9), ("a long title", 1)], [("rate", 7)], width: 22, least: 4) == "name · a long t…  rate")
        #expect(line([("name", 9), ("a long title", 1)], [("rate", 7)], width: 16, least: 4) == "name        rate")
    }
}
