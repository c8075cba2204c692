import TestSupport
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
        expectLess(abs(try require(Self.secondsLeft(after: 2)) - 98), than: 6)
        expectLess(abs(try require(Self.secondsLeft(after: 20)) - 80), than: 3)
    }

    @Test func `does not count files that finished before the first sample`() throws {
        expectLess(abs(try require(Self.secondsLeft(after: 20, doneBefore: 300)) - 20), than: 2)
    }
}

@Suite struct `The rest of a queue` {
    @Test func `is never negative`() {
        expectEqual(QueueLeft(bytes: -490, files: -1), QueueLeft(bytes: 0, files: 0))
    }
}
