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
        #expect(abs(try #require(stream.rate) - 1e6) < 1e4)
        #expect(abs(try #require(stream.secondsLeft) - 99) < 1)
    }

    @Test func `are unknown before the first sample, and the time left also without a size`() {
        var stream = Stream()
        #expect(stream.rate == nil)
        stream.run(10, at: 1e6)
        #expect(stream.rate != nil)
        #expect(stream.secondsLeft == nil)
    }

    @Test func `count received bytes, not those on disk before`() throws {
        var stream = Stream(total: 1e8, have: 6e7)
        stream.run(2, at: 1e6)
        #expect(abs(try #require(stream.secondsLeft) - 38) < 1)
    }

    @Test(arguments: [0.2, 4.0])
    func `follow a lasting change of the rate within a second`(factor: Double) throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        stream.run(1, at: 1e6 * factor)
        let expected = (1e8 - stream.have) / (1e6 * factor)
        #expect(abs(try #require(stream.secondsLeft) - expected) < 0.05 * expected)
        #expect(abs(try #require(stream.rate) - 1e6 * factor) < 5e4 * factor)
    }

    @Test func `report a stall within two seconds, keep the time left, and recover after it`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        let before = try #require(stream.secondsLeft)
        let stopped = Moment(seconds: stream.now)
        stream.now += 2
        #expect(stream.rate == 0)
        #expect(stream.estimator.stalledSince(at: Moment(seconds: stream.now)) == stopped)
        stream.now += 28
        #expect(stream.secondsLeft == before)
        stream.sample()
        #expect(stream.rate == 0, "a sample without bytes is no arrival")
        stream.run(1, at: 1e6)
        #expect(stream.estimator.stalledSince(at: Moment(seconds: stream.now)) == nil)
        #expect(abs(try #require(stream.secondsLeft) - 79) < 1)
    }

    @Test func `stand still in a pause, even if bytes still arrive`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        let before = try #require(stream.secondsLeft)
        stream.estimator.pause()
        stream.run(0.02, at: 1e6)
        stream.now += 60
        #expect(stream.rate == nil)
        #expect(stream.secondsLeft == before)
        stream.estimator.resume(at: Moment(seconds: stream.now))
        stream.run(2, at: 1e6)
        #expect(abs(try #require(stream.secondsLeft) - 78) < 1)
    }

    @Test func `postpone the end when bytes are lost`() throws {
        var stream = Stream(total: 1e8)
        stream.run(20, at: 1e6)
        stream.have -= 1e7
        stream.estimator.lose(downTo: ByteCount(bytes: Int64(stream.have)))
        #expect(abs(try #require(stream.secondsLeft) - 90) < 1)
        stream.now += 10
        stream.run(1, at: 1e6)
        #expect(abs(try #require(stream.secondsLeft) - 89) < 1)
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
        #expect(watched.estimator == alone.estimator)
    }

    @Test func `distinguish a slow link's pauses from a stall`() throws {
        var estimator = RateEstimator()
        for step in 0...60 {
            estimator.record(
                ByteCount(bytes: Int64(step) * 16_384), of: ByteCount(bytes: 16_384 * 120),
                at: Moment(seconds: Double(step) * 3))
        }
        #expect(estimator.stalledSince(at: Moment(seconds: 183)) == nil)
        #expect(abs(try #require(estimator.secondsLeft(at: Moment(seconds: 180))) - 180) < 3)
    }

    @Test func `tolerate clocks that stand still or run backwards, and invalid counts`() {
        var estimator = RateEstimator()
        for (have, at) in [
            (0, 1.0), (5, 1), (9, 0.5), (Int64.max, 2), (-4, 3), (.max, 3.2), (0, 9), (7, 11), (8, 11.5),
        ] {
            estimator.record(ByteCount(bytes: have), of: ByteCount(bytes: 100), at: Moment(seconds: at))
            let left = estimator.secondsLeft(at: Moment(seconds: at))
            #expect(left.map { $0 >= 0 && $0.isFinite } != false)
        }
    }

    @Test func `take at most 400 bytes`() {
        #expect(MemoryLayout<RateEstimator>.size <= 400)
    }
}
