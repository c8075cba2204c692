import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The mean since the last change of rate` {
    /// A tenth of a second at `rate`.
    private static func tenth(_ rate: Double) -> SampleInterval { SampleInterval(seconds: 0.1, bytes: rate / 10) }

    @Test func `forgets its first value and halves its error with four times the age`() {
        var mean = LongTermRate(rate: 900)
        for step in 0..<400 { mean.take(Self.tenth(step % 2 == 0 ? 120 : 80), timeLeft: .infinity) }
        #expect(abs(mean.rate - 100) < 1)
        #expect(abs(mean.age - 40) < 1e-9)
    }

    @Test func `follows a slow drift with a small lag`() {
        var mean = LongTermRate(rate: 100)
        for step in 0..<6_000 { mean.take(Self.tenth(100 + Double(step) / 60), timeLeft: .infinity) }
        #expect((140..<200).contains(mean.rate))
    }

    @Test func `looks back no further than four times the time left`() {
        var near = LongTermRate(rate: 100)
        var far = LongTermRate(rate: 100)
        for step in 0..<1_000 {
            near.take(Self.tenth(step < 900 ? 100 : 200), timeLeft: 1)
            far.take(Self.tenth(step < 900 ? 100 : 200), timeLeft: 100)
        }
        #expect(near.rate > 180)
        #expect(far.rate < 120)
    }

    @Test func `has the weight of a few seconds after an interruption, and less while the stream is biased`() {
        var mean = LongTermRate(rate: 100)
        for _ in 0..<1_000 { mean.take(Self.tenth(100), timeLeft: .infinity) }
        mean.discountPast()
        #expect((3...8).contains(mean.age))
        for _ in 0..<100 { mean.forget(0.1) }
        #expect(mean.age < 2)
        #expect(mean.rate == mean.rate.rounded())
    }
}
