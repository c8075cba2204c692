import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A transfer that receives nothing` {
    private func row(isLimited: Bool = false, rate: Double = 0) -> TransferSnapshot {
        var row = TransferSnapshot.sample(1, "file-a", .moving, have: 10, of: 100, rate: rate, finish: 90)
        row.isAtRateLimit = isLimited
        if rate == 0, !isLimited { row.stalledSince = Moment(nanoseconds: 0) }
        return row
    }

    @Test(arguments: [80, 120, 200])
    func `is shown as stalled in its row and in the header`(columns: Int) {
        let lines = Sitting([row()], columns: columns, lines: 24).lines
        let line = lines.first { $0.contains(" file-a ") } ?? ""
        expect(line.contains("stalled"))
        expect(!line.contains("0 B/s") && !line.contains("downloading") && !line.contains("1 m"))
        expect(lines[2].contains("1 stalled") && !lines[2].contains("downloading"))
    }

    @Test func `is not shown as stalled when a limit slows it down`() {
        let lines = Sitting([row(isLimited: true)], columns: 120) { $0.rateLimit = ByteRate(perSecond: 1) }.lines
        expect(!lines.contains { $0.contains("stalled") })
        expect(lines[5].contains("total limit"))
    }

    @Test func `is not shown as stalled in the header while another waits for its response, nor once bytes arrive`() {
        let other = TransferSnapshot.sample(2, "file-b", .requested)
        let lines = Sitting([row(), other], columns: 120).lines
        expect(lines[2].contains("2 downloading") && !lines[2].contains("stalled"))
        let again = Sitting([row(rate: 1)], columns: 120).lines
        expect(again[2].contains("1 downloading") && again[5].contains("1 B/s"), "any number of bytes is enough")
    }
}
