import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Whole batches over a simulated line.
@Suite struct `The figures of a batch` {
    /// Two large files and 400 small ones, the large ones first or among the others.
    private static func batch(isMixed: Bool) -> [LineRun.File] {
        var files = LineRun.files(400, from: 20_000, doublings: 4, seed: 3)
        for (place, bytes) in [(0, 150_000_000), (isMixed ? 200 : 1, 100_000_000)] as [(Int, Int64)] {
            files.insert(LineRun.File(bytes: bytes), at: place)
        }
        return files
    }

    /// A shared line, and servers that limit the rate of each connection.
    private static let lines = [
        LineRun(line: 5e6), LineRun(line: 1e8, each: 2e6), LineRun(line: 1e8, each: 2e6, slots: 8),
    ]

    @Test(arguments: zip(lines, [true, false, true]))
    func `predict the end of two large files among 400 small ones`(line: LineRun, isMixed: Bool) {
        let outcome = line.play(Self.batch(isMixed: isMixed))
        expectAtMost(outcome.wrong, 0.1, "\(outcome.wrong) of the moments")
        expectAtMost(outcome.falls, 3)
    }

    /// With an estimate of 16 KiB each, of which a tenth arrived, the bar showed 10% when half was done.
    @Test func `learn unknown sizes from the files that are done`() {
        let files = LineRun.files(1000, from: 500, doublings: 3, isNamed: false, seed: 5)
        let outcome = LineRun(latency: 0.02, slots: 8).play(files)
        for moment in outcome.moments.dropFirst(2) {
            let share = Double(moment.done) / 1000
            expectLess(abs(moment.fraction - share), than: 0.1, "\(moment)")
        }
        expectAtMost(outcome.falls, 1)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `rarely fall although no size is known`(seed: UInt64) {
        let files = LineRun.files(30, from: 500_000, doublings: 4, isNamed: false, seed: seed)
        expectAtMost(LineRun().play(files).falls, 3)
    }
}
