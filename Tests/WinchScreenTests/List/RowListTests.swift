import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A list of a hundred thousand rows` {
    @Test func `takes no more time for a key and a frame than a short one`() {
        let clock = ContinuousClock()
        var few = Sitting(Scenes.many(30))
        var many = Sitting(Scenes.many(100_000))
        func time(_ sitting: inout Sitting) -> Duration {
            (0..<9).map { _ in
                clock.measure {
                    sitting.press("G", "k", .pageUp, "g", "j", .pageDown)
                    _ = sitting.canvas
                    _ = sitting.nextFrame
                }
            }.min() ?? .zero
        }
        _ = time(&few)
        let (short, long) = (time(&few), time(&many))
        // The same work: a factor of 3 can be noise on a busy machine; a pass over all rows would be a factor of
        // thousands.
        #expect(long < short * 3 + .milliseconds(2), "\(short) for 30 rows, \(long) for 100,000")
    }

    @Test func `stores bars only for visible rows`() {
        var sitting = Sitting(Scenes.many(100_000))
        #expect(sitting.dashboard.motions.count == sitting.dashboard.layout.table.count)
        sitting.press("G")
        #expect(sitting.dashboard.motions.count == sitting.dashboard.layout.table.count)
        #expect(sitting.lines.contains { $0.contains("file-100000.bin") })
        #expect(sitting.lines[4].contains("Name"))
    }
}
