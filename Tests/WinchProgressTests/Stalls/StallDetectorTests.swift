import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A gap without bytes` {
    var silence = StallDetector()

    @Test mutating func `in a fast stream is a stall if it is much longer than the usual gaps`() {
        let calls = (1...100).map { _ in silence.takeGap(0.02) }
        #expect(calls.allSatisfy { !$0 })
        #expect(silence.takeGap(1.4) == false)
        #expect(silence.takeGap(5) == true)
        #expect(silence.stalls == 1)
        #expect(silence.stalledSeconds == 5)
    }

    @Test mutating func `is recognised as a stall within two seconds`() {
        for _ in 1...100 { _ = silence.takeGap(0.3) }
        #expect(silence.limit < 2)
    }

    @Test mutating func `between the chunks of a slow link is not a stall`() {
        let stalls = (1...40).filter { _ in silence.takeGap(4) }
        #expect(stalls.isEmpty)
        #expect(silence.limit > 8)
    }

    @Test mutating func `on a slow link is a stall if it is several times longer than the usual gaps`() {
        for _ in 1...40 { _ = silence.takeGap(4) }
        #expect(silence.takeGap(20) == true)
    }

    @Test mutating func `that occurs once does not lengthen the time left, but repeated ones do`() {
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        #expect(silence.factor(activeSeconds: 10) == 1)
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        // 20 s stalled in 10 s of moving, two stalls: a ninth of it.
        #expect(abs(silence.factor(activeSeconds: 10) - (1 + 2.0 / 9)) < 1e-12)
    }
}
