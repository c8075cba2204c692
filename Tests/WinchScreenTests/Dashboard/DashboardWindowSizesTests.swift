import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A window of any size` {
    @Test func `has every character in its place`() {
        for look in [Appearance(), Appearance(theme: .rainbow, isASCII: true)] {
            var sitting = Sitting(Scenes.busy, look: look)
            for columns in stride(from: 1, through: 300, by: 7) {
                for rows in [1, 2, 3, 7, 8, 9, 15, 16, 29, 30, 100] {
                    sitting.handle(.resized(columns: columns, rows: rows))
                    let canvas = sitting.canvas
                    #expect(canvas.columns == columns && canvas.rows == rows)
                    for row in 0..<rows {
                        let width = canvas.line(row).reduce(0) { sum, cell in
                            sum + (cell.text.map { CellCharacter(checking: $0)?.columns ?? 99 } ?? 0)
                        }
                        #expect(width == columns, "line \(row) of \(columns)x\(rows)")
                    }
                }
            }
        }
    }

    @Test func `keeps names in all scripts in their columns`() {
        for columns in [64, 80, 120, 200] {
            let sitting = Sitting(Scenes.busy, columns: columns, lines: 30)
            let canvas = sitting.canvas
            let percent = ColumnLayout.fitting(columns)[.percent]?.end ?? 0
            for row in sitting.dashboard.layout.table.prefix(8) {
                // Or the bytes of a file of unknown size.
                #expect(["%", "-", "B"].contains(canvas[percent - 1, row].text), "row \(row) of \(columns)")
                #expect(canvas[percent, row].text == " ")
            }
        }
    }

    @Test func `down to one cell reacts to keys`() {
        var sitting = Sitting([.sample(1, "a", .moving)], columns: 1, lines: 1)
        #expect(sitting.lines == ["…"])
        #expect(sitting.press("q", "y") == ["leave"])
    }
}
