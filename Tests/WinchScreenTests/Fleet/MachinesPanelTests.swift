import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The panel of the machines` {
    @Test(arguments: [(120, 36), (80, 24), (40, 10)])
    func `shows all machines on demand`(columns: Int, lines: Int) {
        var sitting = Sitting.fleet(columns: columns, lines: lines, machines: 50)
        sitting.press("M")
        #expect(sitting.lines.contains { $0.contains("Machines") && $0.contains("1/50") })
        sitting.press("G")
        #expect(sitting.lines.contains { $0.contains("machine50") })
        sitting.press(.escape)
        #expect(!sitting.lines.contains { $0.contains("1/50") })
    }
}
