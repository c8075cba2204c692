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

    @Test(arguments: lines, [false, true])
    func `predict the end of two large files among 400 small ones`(line: LineRun, isMixed: Bool) {
        let outcome = line.play(Self.batch(isMixed: isMixed))
        #expect(outcome.wrong <= 0.1, "\(outcome.wrong) of the moments")
        #expect(outcome.falls <= 3)
    }

    /// With an estimate of 16 KiB each, of which a tenth arrived, the bar showed 10% when half was done.
    @Test func `learn unknown sizes from the files that are done`() {
        let files = LineRun.files(1000, from: 500, doublings: 3, isNamed: false, seed: 5)
        let outcome = LineRun(latency: 0.02, slots: 8).play(files)
        for moment in outcome.moments.dropFirst(2) {
            let share = Double(moment.done) / 1000
            #expect(abs(moment.fraction - share) < 0.1, "\(moment)")
        }
        #expect(outcome.falls <= 1)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `rarely fall although no size is known`(seed: UInt64) {
        let files = LineRun.files(30, from: 500_000, doublings: 4, isNamed: false, seed: seed)
        #expect(LineRun().play(files).falls <= 3)
    }
}

@Suite struct `An estimate for an unknown size` {
    @Test func `follows every size that becomes known as long as the transfer waits`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(4)
        #expect(run.bar == "0/65536 ~")
        run.open(1, of: nil)
        run.finish(1, with: 1000)
        // The second began with what was known then; the two that wait follow what is known now.
        #expect(run.bar == "1000/4000 ~")
        run.open(2, of: nil)
        run.finish(2, with: 3000)
        #expect(run.bar == "4000/6000 ~")
        #expect(run.reported == (run.queue.progress.completed, run.queue.progress.total))
    }

    @Test func `does not move the bar when it was slightly too small`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: 100_000)
        run.move(1, to: 50_000)
        run.open(2, of: nil)
        run.move(2, to: 16_384)
        let high = run.queue.fraction.value
        // The estimate is doubled now: half, where 57% were shown.
        run.move(2, to: 16_400)
        #expect(run.rebases == [])
        #expect(run.queue.fraction.value == high)
        #expect(run.queue.totals(at: run.now).percent == 57)
        run.move(1, to: 90_000)
        #expect(run.queue.fraction.value > high)
    }

    @Test func `corrects the bar at once when it was far too small, and gives the cause`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: 1000)
        run.open(2, of: nil)
        run.move(2, to: 16_384)
        #expect(run.queue.fraction.value > 0.9)
        run.move(2, to: 16_400)
        #expect(run.rebases == [.guessOutgrown])
        #expect(run.queue.fraction.value < 0.5)
    }

    @Test func `is not shown while no size is known`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: nil)
        for have in [16_000, 20_000, 40_000, 90_000] as [Int64] {
            run.move(1, to: have)
            #expect(run.queue.fraction.value == 0)
            #expect(run.rebases == [])
        }
        run.finish(1, with: 90_000)
        #expect(run.queue.fraction.value > 0.4)
    }
}
