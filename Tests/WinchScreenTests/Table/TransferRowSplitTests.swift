import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The row of a split file` {
    private static let mebi: Int64 = 1 << 20

    private func row(_ connections: Int, reason: String? = nil, have: Int64 = 40) -> TransferSnapshot {
        var row = TransferSnapshot.sample(
            1, "disk.iso", .moving, have: have * Self.mebi, of: 100 * Self.mebi, rate: 5e6, finish: 12)
        row.split = SplitProgress(
            connections: connections,
            onDisk: [0..<20 * Self.mebi, 50 * Self.mebi..<(30 + have) * Self.mebi],
            working: [20 * Self.mebi, (30 + have) * Self.mebi], reason: reason)
        return row
    }

    private func sitting(_ row: TransferSnapshot, columns: Int, isASCII: Bool = false) -> Sitting {
        var sitting = Sitting([row], columns: columns, lines: 24, look: Appearance(isASCII: isASCII))
        sitting.wait(2)
        sitting.handle(.tick)
        return sitting
    }

    private let top = 5

    @Test func `has a bar with the parts, and percent of the bytes`() {
        let line = sitting(row(2), columns: 80).lines[top]
        #expect(line.contains("━━") && (line.contains("──━") || line.contains("─╺")), "\(line)")
        #expect(line.contains("40%"))
        let ascii = sitting(row(2), columns: 80, isASCII: true).lines[top]
        #expect(ascii.contains("##>"))
        #expect(ascii.contains("-##>") || ascii.contains("->##>"), "\(ascii)")
    }

    @Test func `says how many connections there are where a state has room`() {
        #expect(sitting(row(3), columns: 120).lines[top].contains("3 connections"))
        #expect(sitting(row(16), columns: 104).lines[top].contains("16 connections"))
        let wide = sitting(row(3), columns: 200).lines[top]
        #expect(wide.contains("3 connections"))
    }

    @Test func `says below the table that more did not help`() {
        let words = "3 connections; more did not help"
        for columns in [80, 200] {
            #expect(sitting(row(3, reason: "more did not help"), columns: columns).message.contains(words))
        }
        #expect(
            sitting(row(4, reason: "the server allows 4"), columns: 80).message.contains(
                "4 connections; the server allows 4"))
    }

    @Test func `is that of any other while it has one connection`() {
        let sitting = sitting(row(1), columns: 120)
        #expect(sitting.lines[top].contains("downloading"))
        #expect(!sitting.message.contains("connection"))
    }

    @Test func `keeps its figures for half a second while the parts grow`() {
        var sitting = sitting(row(2), columns: 120)
        sitting.wait(0.1)
        sitting.update([row(2, have: 41)])
        #expect(sitting.lines[top].contains("40%"))
        sitting.wait(0.5)
        sitting.handle(.tick)
        #expect(sitting.lines[top].contains("41%"))
    }
}
