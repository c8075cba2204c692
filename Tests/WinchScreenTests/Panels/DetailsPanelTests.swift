import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The details panel` {
    private func open(_ columns: Int = 120, _ lines: Int = 40, details: TransferDetails? = .full) -> Sitting {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
        sitting.press("j", "j", .enter)
        if let details { sitting.update(.details(details, of: Scenes.busy)) }
        return sitting
    }

    @Test func `is opened by Enter, follows the selection and is closed by Esc`() {
        var sitting = Sitting(Scenes.busy)
        expectEqual(sitting.press("j", .enter), ["watch(Optional(TransferID(number: 2)), by: 0)"])
        expectEqual(sitting.press("j"), ["watch(Optional(TransferID(number: 3)), by: 0)"])
        expectEqual(sitting.press("p").first, "pause([TransferID(number: 3)])", "other keys go on as ever")
        expectEqual(sitting.press(.escape), ["watch(nil, by: 0)"])
        expect(!sitting.dashboard.isDetailsOpen)
        expectEqual(sitting.press(.enter, .enter), ["watch(nil, by: 0)"])
    }

    @Test func `shows that details are loading, and none of another transfer`() {
        var other = TransferDetails.full
        other.id = TransferID(5)
        for sitting in [open(details: nil), open(details: other)] {
            expect(sitting.canvas.text.contains("Loading details"))
            expect(!sitting.canvas.text.contains("192.0.2.33"))
        }
    }

    @Test func `is beside the table on a wide screen and over it on others`() {
        let wide = open(160, 40)
        let row = wide.lines.first { $0.contains("linux-6.8.1.tar.xz") }
        expectEqual(row?.contains("│"), true)
        expectEqual(wide.dashboard.tableColumns, 96)
        expectEqual(open(120, 40).dashboard.tableColumns, 72)
        expectEqual(open(119, 40).lines.contains { $0.contains("linux-6.8.1.tar.xz") }, false)
    }

    @Test func `scrolls up to its end`() {
        var sitting = open(80, 20)
        expect(!sitting.canvas.text.contains("accept-ranges"))
        for _ in 0..<30 { sitting.press("J") }
        expect(sitting.canvas.text.contains("accept-ranges"))
        let end = sitting.canvas
        sitting.press("J")
        expectEqual(sitting.canvas, end)
        for _ in 0..<30 { sitting.press("K") }
        expect(sitting.canvas.text.contains("URL"))
    }

    @Test func `is closed with the last transfer`() {
        var sitting = open()
        var gone = Update(order: [], totals: QueueTotals(), at: .at(1))
        gone.removed = Scenes.busy.map(\.id)
        sitting.update(gone)
        expect(!sitting.dashboard.isDetailsOpen)
        expect(sitting.press(.enter).isEmpty)
    }
}
