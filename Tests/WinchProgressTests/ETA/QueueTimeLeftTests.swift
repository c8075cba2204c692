import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The estimated end of a queue` {
    /// A queue of files of 10 kB, each 0.1 s and 0.1 s more for its request, one after the other, for `seconds`.
    private static func secondsLeft(after seconds: Double, doneBefore: Int = 0, of files: Int = 500) -> Double? {
        var estimator = QueueTimeLeft()
        var now = Moment(seconds: 0)
        for tick in 0...Int(seconds * 10) {
            let have = (tick + 1) / 2 * 10_000
            let done = doneBefore + tick / 2
            now = Moment(seconds: Double(tick) / 10)
            estimator.record(
                ByteCount(bytes: Int64(have)), done: done,
                left: QueueLeft(bytes: Double((files - doneBefore) * 10_000 - have), files: files - done), at: now)
        }
        return estimator.stream.secondsLeft(at: now)
    }

    @Test func `is known after two seconds, with a small error`() throws {
        #expect(abs(try #require(Self.secondsLeft(after: 2)) - 98) < 6)
        #expect(abs(try #require(Self.secondsLeft(after: 20)) - 80) < 3)
    }

    @Test func `does not count files that finished before the first sample`() throws {
        #expect(abs(try #require(Self.secondsLeft(after: 20, doneBefore: 300)) - 20) < 2)
    }
}

@Suite struct `Unknown sizes in a queue` {
    @Test func `are estimated as the mean of the known sizes`() {
        var known = KnownSizes()
        #expect(known.mean == nil)
        for size in [10, 20, 60] as [Int64] { known.insert(ByteCount(bytes: size)) }
        #expect(known.mean == 30)
        known.remove(ByteCount(bytes: 60))
        #expect(known.mean == 15)
    }

    @Test func `are estimated without outliers`() {
        var known = KnownSizes()
        for size in [10, 20, 20, 150, 1 << 40] as [Int64] { known.insert(ByteCount(bytes: size)) }
        #expect(known.mean == 72)
        for _ in 0..<5000 { known.insert(ByteCount(bytes: .max)) }
        #expect(known.mean.map { abs($0 / 9.2e18 - 1) < 0.01 } == true)
    }

    @Test func `leave a part to fetch once bytes have arrived, however many`() {
        var progress = QueueProgress()
        let guess = Contribution(have: .zero, size: .unknown(estimate: ByteCount(bytes: 20)))
        for _ in 0..<3 { progress.replace(nil, with: QueueProgress.Entry(contribution: guess, settled: nil)) }
        #expect(progress.left(mean: 210) == 630)
        let much = Contribution(have: ByteCount(bytes: 1000), size: .unknown(estimate: ByteCount(bytes: 2000)))
        progress.replace(
            QueueProgress.Entry(contribution: guess, settled: nil),
            with: QueueProgress.Entry(contribution: much, settled: nil))
        #expect(progress.left(mean: 210) == 252)
        progress.replace(nil, with: .unstarted)
        #expect(progress.left(mean: 210) == 462)
        let exact = Contribution(have: .zero, size: .declared(ByteCount(bytes: 300)))
        progress.replace(
            QueueProgress.Entry(contribution: much, settled: nil),
            with: QueueProgress.Entry(contribution: exact, settled: nil))
        #expect(progress.left(mean: 210) == 300 + 420 + 210)
    }
}
