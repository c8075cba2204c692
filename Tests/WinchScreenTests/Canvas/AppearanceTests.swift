import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The appearance` {
    @Test func `uses no colour where there is none`() {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 30, look: Appearance(theme: .rainbow, hasColor: false))
        sitting.press("?")
        let canvas = sitting.canvas
        for row in 0..<canvas.rows {
            for cell in canvas.line(row) {
                expect(cell.style.foreground == .standard && cell.style.background == .standard)
            }
        }
    }

    @Test func `keeps a failed bar red and a cancelled one grey, at their last positions`() {
        // The first row is selected and therefore has another style.
        let rows: [TransferSnapshot] = [
            .sample(4, "d"), .sample(1, "a", .failed(.httpStatus(500)), have: 50, of: 100),
            .sample(2, "b", .cancelled, have: 50, of: 100),
            .sample(3, "c", .failed(.checksum(type: "md5", expected: "a", got: "b")), have: 100, of: 100),
        ]
        let canvas = Sitting(rows, columns: 150, lines: 20).canvas
        let bar = ColumnLayout.fitting(150)[.bar]
        let start = bar?.start ?? 0
        expectEqual(canvas[start, 6], Cell("━", Theme.standard.failure))
        expectEqual(canvas[start, 7], Cell("━", Theme.standard.cancelled))
        // The bar of a complete file with a wrong checksum is not shown as full.
        expectEqual(canvas[(bar?.end ?? 0) - 1, 8].text, "╸")
    }
}
