import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A fading mean` {
    @Test func `goes over to a lasting value, the faster the shorter its memory`() {
        var quick = FadingMean(value: 0)
        var slow = FadingMean(value: 0)
        for _ in 0..<30 {
            quick.blend(1, over: 0.1, memory: 0.5)
            slow.blend(1, over: 0.1, memory: 5)
        }
        #expect(quick.value > 0.99)
        #expect((0.4..<0.5).contains(slow.value))
    }

    @Test func `never overshoots, however long a step is`() {
        var mean = FadingMean(value: 3)
        mean.blend(1, over: 1_000, memory: 0.2)
        #expect((1..<1.001).contains(mean.value))
    }
}
