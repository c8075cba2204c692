import Testing

@testable import WinchProgress

@Suite struct `The shown rate` {
    private static func interval(_ rate: Double, seconds: Double) -> SampleInterval {
        SampleInterval(seconds: seconds, bytes: rate * seconds)
    }

    @Test func `follows a new rate within some seconds`() {
        var rate = ShownRate(1000)
        for _ in 0..<40 { rate.take(Self.interval(2000, seconds: 0.1), age: 100) }
        // Four seconds: about two thirds of the way.
        #expect((1550...1750).contains(rate.value))
        for _ in 0..<160 { rate.take(Self.interval(2000, seconds: 0.1), age: 100) }
        #expect((1980...2000).contains(rate.value))
    }

    @Test func `follows faster while the stream is young`() {
        var (young, old) = (ShownRate(1000), ShownRate(1000))
        young.take(Self.interval(2000, seconds: 0.1), age: 0.4)
        old.take(Self.interval(2000, seconds: 0.1), age: 100)
        #expect(young.value > old.value + 100)
    }
}
