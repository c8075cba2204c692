import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A window of any size` {
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
