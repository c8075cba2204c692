import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `The lines of the screen layout` {
    @Test func `are within the screen at every size`() {
        for rows in 0...100 {
            for columns in [0, 1, 39, 40, 59, 60, 300] {
                let layout = ScreenLayout(columns: columns, rows: rows)
                expectAtMost(layout.footer, max(0, rows - 1))
                expect(layout.table.isEmpty || layout.table.upperBound <= layout.footer)
                expectEqual((layout.form == .line), (columns < 40 || rows < 8))
                expect(layout.table.count >= (layout.form == .line ? rows - 2 : 4))
            }
        }
    }
}
