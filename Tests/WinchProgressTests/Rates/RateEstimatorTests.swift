import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

/// A row's estimator and the bytes reported to it, in samples of 20 ms.
private struct Stream {
    var estimator = RateEstimator()
    var now = 0.0
    var have = 0.0
    var total: Double?

    init(total: Double? = nil, have: Double = 0) {
        self.total = total
        self.have = have
        sample()
    }

    mutating func run(_ seconds: Double, at rate: Double) {
        for _ in 0..<Int(seconds * 50) {
            now += 0.02
            have += rate * 0.02
            sample()
        }
    }

    mutating func sample() {
        estimator.record(
            ByteCount(bytes: Int64(have)), of: total.map { ByteCount(bytes: Int64($0)) }, at: Moment(seconds: now))
    }

    var secondsLeft: Double? { estimator.secondsLeft(at: Moment(seconds: now)) }
    var rate: Double? { estimator.rate(at: Moment(seconds: now))?.perSecond }
}

@Suite struct `A row's rate and time left` {
    @Test func `are accurate after one second of a steady stream`() throws {
        var stream = Stream(total: 1e8)
        stream.run(1, at: 1e6)
        expectLess(abs(try require(stream.rate) - 1e6), than: 1e4)
        expectLess(abs(try require(stream.secondsLeft) - 99), than: 1)
    }

    @Test func `are unknown before the first sample, and the time left also without a size`() {
        var stream = Stream()
        expectNil(stream.rate)
        stream.run(10, at: 1e6)
        expect(stream.rate != nil)
        expectNil(stream.secondsLeft)
    }

    @Test func `count received bytes, not those on disk before`() throws {
        var stream = Stream(total: 1e8, have: 6e7)
        stream.run(2, at: 1e6)
        expectLess(abs(try require(stream.secondsLeft) - 38), than: 1)
    }

    @Test(arguments: [0.2, 4.0])
    func `follow a lasting change of the rate within a second`(factor: Double) throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        stream.run(1, at: 1e6 * factor)
        let expected = (1e8 - stream.have) / (1e6 * factor)
        expectLess(abs(try require(stream.secondsLeft) - expected), than: 0.05 * expected)
        expectLess(abs(try require(stream.rate) - 1e6 * factor), than: 5e4 * factor)
    }

    @Test func `report a stall within two seconds, keep the time left, and recover after it`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        let before = try require(stream.secondsLeft)
        let stopped = Moment(seconds: stream.now)
        stream.now += 2
        expectEqual(stream.rate, 0)
        expectEqual(stream.estimator.stalledSince(at: Moment(seconds: stream.now)), stopped)
        stream.now += 28
        expectEqual(stream.secondsLeft, before)
        stream.sample()
        expectEqual(stream.rate, 0, "a sample without bytes is no arrival")
        stream.run(1, at: 1e6)
        expectNil(stream.estimator.stalledSince(at: Moment(seconds: stream.now)))
        expectLess(abs(try require(stream.secondsLeft) - 79), than: 1)
    }

    @Test func `stand still in a pause, even if bytes still arrive`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        let before = try require(stream.secondsLeft)
        stream.estimator.pause()
        stream.run(0.02, at: 1e6)
        stream.now += 60
        expectNil(stream.rate)
        expectEqual(stream.secondsLeft, before)
        stream.estimator.resume(at: Moment(seconds: stream.now))
        stream.run(2, at: 1e6)
        expectLess(abs(try require(stream.secondsLeft) - 78), than: 1)
    }

    @Test func `postpone the end when bytes are lost`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        stream.have -= 1e7
        stream.estimator.lose(downTo: ByteCount(bytes: Int64(stream.have)))
        expectLess(abs(try require(stream.secondsLeft) - 90), than: 1)
        stream.now += 10
        stream.run(1, at: 1e6)
        expectLess(abs(try require(stream.secondsLeft) - 89), than: 1)
    }

    @Test func `do not depend on how often they are read`() {
        var watched = Stream(total: 1e8)
        var alone = Stream(total: 1e8)
        for step in 0..<400 {
            watched.run(0.1, at: 1e6 + Double(step % 7) * 1e5)
            alone.run(0.1, at: 1e6 + Double(step % 7) * 1e5)
            for frame in 0..<6 {
                let look = Moment(seconds: watched.now + Double(frame) / 60)
                _ = watched.estimator.rate(at: look)
                _ = watched.estimator.secondsLeft(at: look)
                _ = watched.estimator.finish(of: .zero, at: look)
            }
        }
        expectEqual(watched.estimator, alone.estimator)
    }

    @Test func `distinguish a slow link's pauses from a stall`() throws {
        var estimator = RateEstimator()
        for step in 0...60 {
            estimator.record(
                ByteCount(bytes: Int64(step) * 16_384), of: ByteCount(bytes: 16_384 * 120),
                at: Moment(seconds: Double(step) * 3))
        }
        expectNil(estimator.stalledSince(at: Moment(seconds: 183)))
        expectLess(abs(try require(estimator.secondsLeft(at: Moment(seconds: 180))) - 180), than: 3)
    }

    @Test func `tolerate clocks that stand still or run backwards, and invalid counts`() {
        var estimator = RateEstimator()
        for (have, at) in [
            (0, 1.0), (5, 1), (9, 0.5), (Int64.max, 2), (-4, 3), (.max, 3.2), (0, 9), (7, 11), (8, 11.5),
        ] {
            estimator.record(ByteCount(bytes: have), of: ByteCount(bytes: 100), at: Moment(seconds: at))
            let left = estimator.secondsLeft(at: Moment(seconds: at))
            expect(left.map { $0 >= 0 && $0.isFinite } != false)
        }
    }

    @Test func `take at most 400 bytes`() {
        expect(MemoryLayout<RateEstimator>.size <= 400)
    }
}

@Suite struct `The mean since the last change of rate` {
    /// A tenth of a second at `rate`.
    private static func tenth(_ rate: Double) -> SampleInterval { SampleInterval(seconds: 0.1, bytes: rate / 10) }

    @Test func `forgets its first value and halves its error with four times the age`() {
        var mean = LongTermRate(rate: 900)
        for step in 0..<400 { mean.take(Self.tenth(step % 2 == 0 ? 120 : 80), timeLeft: .infinity) }
        expectLess(abs(mean.rate - 100), than: 1)
        expectLess(abs(mean.age - 40), than: 1e-9)
    }

    @Test func `follows a slow drift with a small lag`() {
        var mean = LongTermRate(rate: 100)
        for step in 0..<6_000 { mean.take(Self.tenth(100 + Double(step) / 60), timeLeft: .infinity) }
        expect((140..<200).contains(mean.rate))
    }

    @Test func `looks back no further than four times the time left`() {
        var near = LongTermRate(rate: 100)
        var far = LongTermRate(rate: 100)
        for step in 0..<1_000 {
            near.take(Self.tenth(step < 900 ? 100 : 200), timeLeft: 1)
            far.take(Self.tenth(step < 900 ? 100 : 200), timeLeft: 100)
        }
        expectMore(near.rate, than: 180)
        expectLess(far.rate, than: 120)
    }

    @Test func `has the weight of a few seconds after an interruption, and less while the stream is biased`() {
        var mean = LongTermRate(rate: 100)
        for _ in 0..<1_000 { mean.take(Self.tenth(100), timeLeft: .infinity) }
        mean.discountPast()
        expect((3...8).contains(mean.age))
        for _ in 0..<100 { mean.forget(0.1) }
        expectLess(mean.age, than: 2)
        expectEqual(mean.rate, mean.rate.rounded())
    }
}

@Suite struct `A fading mean` {
    @Test func `approaches a constant value, faster with a shorter memory`() {
        var quick = FadingMean(value: 0)
        var slow = FadingMean(value: 0)
        for _ in 0..<30 {
            quick.blend(1, over: 0.1, memory: 0.5)
            slow.blend(1, over: 0.1, memory: 5)
        }
        expectMore(quick.value, than: 0.99)
        expect((0.4..<0.5).contains(slow.value))
    }

    @Test func `never overshoots, however long the step`() {
        var mean = FadingMean(value: 3)
        mean.blend(1, over: 1_000, memory: 0.2)
        expect((1..<1.001).contains(mean.value))
    }
}

@Suite struct `The displayed finish time` {
    /// Aims each 0.1 s at `target` with `timeLeft` to go, and says where the end is shown after `seconds`.
    private static func end(from start: Double, to target: Double, timeLeft: Double, after seconds: Double) -> Double {
        var end = ShownTimeLeft()
        end.jump(to: start)
        for _ in 0..<Int(seconds * 10) { end.aim(at: target, timeLeft: timeLeft, after: 0.1) }
        return end.at ?? .nan
    }

    @Test func `starts at the first target`() {
        var end = ShownTimeLeft()
        expectNil(end.at)
        end.aim(at: 70, timeLeft: 60, after: 0.1)
        expectEqual(end.at, 70)
    }

    @Test func `hardly moves within its tolerance`() {
        expectLess(Self.end(from: 100, to: 101.5, timeLeft: 60, after: 2), than: 100.1)
        expectLess(Self.end(from: 100, to: 100.2, timeLeft: 2, after: 1), than: 100.02)
    }

    @Test func `moves gradually to a target outside the tolerance, faster when the end is near`() {
        let far = Self.end(from: 100, to: 110, timeLeft: 100, after: 2)
        let near = Self.end(from: 100, to: 101, timeLeft: 5, after: 2)
        expect((102..<109).contains(far))
        expect((100.5..<101).contains(near))
    }

    @Test func `moves faster when it is far off`() {
        let wrong = Self.end(from: 400, to: 100, timeLeft: 60, after: 2)
        expectLess(wrong, than: 160)
    }

    @Test func `is postponed by the time that was lost`() {
        var end = ShownTimeLeft()
        end.postpone(by: 3)
        expectNil(end.at)
        end.jump(to: 10)
        end.postpone(by: 3)
        expectEqual(end.at, 13)
    }
}
