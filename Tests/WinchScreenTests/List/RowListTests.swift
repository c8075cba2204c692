import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A list of ten thousand rows` {
    @Test func `stores bars only for visible rows`() {
        var sitting = Sitting(Scenes.many(10_000))
        #expect(sitting.dashboard.motions.count == sitting.dashboard.layout.table.count)
        sitting.press("G")
        #expect(sitting.dashboard.motions.count == sitting.dashboard.layout.table.count)
        #expect(sitting.lines.contains { $0.contains("file-10000.bin") })
        #expect(sitting.lines[4].contains("Name"))
    }
}
