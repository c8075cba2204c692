import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Displayed figures` {
    private func row(
        _ have: Int64, rate: Double?, finish: Double? = 90, phase: TransferPhase = .moving, number: Int = 1
    )
        -> TransferSnapshot
    {
        .sample(number, "file-\(number)", phase, have: have << 20, of: 100 << 20, rate: rate, finish: finish)
    }

    @Test func `change twice a second in one frame, however often the engine reports them`() {
        var sitting = Sitting(columns: 120, lines: 36)
        var canvases: [[String]] = []
        let bars: Set<Character> = Set("█▉▊▋▌▍▎▏─━╸╶ ")
        // Ten updates a second for three seconds; the figures of every row change at different times.
        for tenth in 0..<30 {
            let rows = (1...5).map { number -> TransferSnapshot in
                let (have, rate, finish) = (Int64(tenth + number), Double(1000 + tenth * 7), 90 + Double(number) / 7)
                return row(have, rate: rate, finish: finish, number: number)
            }
            sitting.update(.all(rows, at: Double(tenth) / 10))
            // Bars move with every update: only the text is compared here.
            let canvas = sitting.lines.map { line in line.filter { !bars.contains($0) } }
            if canvases.last != canvas { canvases.append(canvas) }
            sitting.wait(0.1)
        }
        expectAtMost(canvases.count, 7)
    }

    @Test func `are kept for half a second, then replaced by the current ones`() {
        var sitting = Sitting([row(10, rate: 5120)], columns: 120)
        sitting.wait(0.1)
        sitting.update([row(20, rate: 9216)])
        expect(sitting.lines[5].contains("10.0 MiB") && sitting.lines[5].contains("5.0 KiB/s"))
        expectEqual(sitting.nextFrame.map { $0 <= 0.4 }, true, "they are not forgotten when nothing more comes")
        sitting.wait(0.4)
        sitting.handle(.tick)
        expect(sitting.lines[5].contains("20.0 MiB") && sitting.lines[5].contains("9.0 KiB/s"))
    }

    @Test(
        arguments: [
            (.paused, "paused"), (.failed(.httpStatus(404)), "404"), (.finished(.saved(path: "x")), "done"),
            (.requested, "waiting for response"),
        ] as [(TransferPhase, String)])
    func `are replaced at once when the state changes`(phase: TransferPhase, words: String) {
        var sitting = Sitting([row(10, rate: 5120)], columns: 120)
        sitting.wait(0.1)
        sitting.update([row(20, rate: nil, finish: nil, phase: phase)])
        expect(sitting.lines[5].contains(words))
        expect(!sitting.lines[5].contains("10.0 MiB"))
        expect(!sitting.lines[5].contains("KiB/s"))
    }

    @Test func `appear at once when they become known and disappear at once`() {
        var sitting = Sitting([row(0, rate: nil, finish: nil)], columns: 120)
        sitting.wait(0.1)
        sitting.update([row(1, rate: 2048)])
        expect(sitting.lines[5].contains("2.0 KiB/s"))
        sitting.wait(0.1)
        sitting.update([row(2, rate: nil, finish: nil)])
        expect(!sitting.lines[5].contains("KiB/s"))
    }

    @Test func `of the whole queue are kept like those of rows, but counts are not`() {
        var sitting = Sitting([row(10, rate: 5120)], columns: 120)
        sitting.wait(0.1)
        sitting.update([row(20, rate: 9216)])
        expect(sitting.lines[2].contains("10.0 of 100 MiB") || sitting.lines[2].contains("10.0/100"))
        sitting.wait(0.1)
        sitting.update([row(20, rate: 9216), .sample(2, "more")])
        expect(sitting.lines[2].contains("0 of 2 done"))
    }

    @Test(arguments: [Int64.min, -1, 0, 499_999_999, 500_000_000, .max])
    func `belong to an instant that is never in the future`(nanoseconds: Int64) {
        let now = Moment(nanoseconds: nanoseconds)
        expectEqual(FigureRefresh.instant(Moment(nanoseconds: -1)), Moment(nanoseconds: -500_000_000))
        if nanoseconds > .min { expectAtMost(FigureRefresh.instant(now), now) } else { _ = FigureRefresh.instant(now) }
    }
}
