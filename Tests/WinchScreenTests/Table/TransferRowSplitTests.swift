import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The row of a split file` {
    private static let mebi: Int64 = 1 << 20

    private func row(_ connections: Int, reason: String? = nil) -> TransferSnapshot {
        var row = TransferSnapshot.sample(
            1, "disk.iso", .moving, have: 40 * Self.mebi, of: 100 * Self.mebi, rate: 5e6, finish: 12)
        row.split = SplitProgress(
            connections: connections, onDisk: [0..<20 * Self.mebi, 50 * Self.mebi..<70 * Self.mebi],
            working: [20 * Self.mebi, 70 * Self.mebi], reason: reason)
        return row
    }

    private func sitting(_ row: TransferSnapshot, columns: Int) -> Sitting {
        var sitting = Sitting([row], columns: columns)
        sitting.wait(2)
        sitting.handle(.tick)
        return sitting
    }

    private let top = 5

    @Test func `says how many connections there are where a state has room`() {
        expect(sitting(row(3), columns: 120).lines[top].contains("3 connections"))
        expect(sitting(row(16), columns: 104).lines[top].contains("16 connections"))
        expect(sitting(row(3), columns: 200).lines[top].contains("3 connections"))
        let one = sitting(row(1), columns: 120)
        expect(one.lines[top].contains("downloading") && !one.message.contains("connection"))
    }

    @Test func `says below the table that more did not help`() {
        let words = "3 connections; more did not help"
        for columns in [80, 200] {
            expect(sitting(row(3, reason: "more did not help"), columns: columns).message.contains(words))
        }
        expect(
            sitting(row(4, reason: "the server allows 4"), columns: 80).message.contains(
                "4 connections; the server allows 4"))
    }
}
