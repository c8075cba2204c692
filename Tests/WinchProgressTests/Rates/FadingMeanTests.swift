import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A fading mean` {
    @Test func `approaches a constant value, faster with a shorter memory`() {
        var quick = FadingMean(value: 0)
        var slow = FadingMean(value: 0)
        for _ in 0..<30 {
            quick.blend(1, over: 0.1, memory: 0.5)
            slow.blend(1, over: 0.1, memory: 5)
        }
        #expect(quick.value > 0.99)
        #expect((0.4..<0.5).contains(slow.value))
    }

    @Test func `never overshoots, however long the step`() {
        var mean = FadingMean(value: 3)
        mean.blend(1, over: 1_000, memory: 0.2)
        #expect((1..<1.001).contains(mean.value))
    }
}
