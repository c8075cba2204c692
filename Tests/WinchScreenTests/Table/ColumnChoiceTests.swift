import TestSupport
import Testing

@testable import WinchScreen

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
