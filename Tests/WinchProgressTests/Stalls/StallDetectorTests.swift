import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The detector of stalls` {
    var silence = StallDetector()

    @Test mutating func `of a second and a half in a quick stream is a stall`() {
        let calls = (1...100).map { _ in silence.takeGap(0.02) }
        #expect(calls.allSatisfy { !$0 })
        #expect(silence.takeGap(1.4) == false)
        #expect(silence.takeGap(5) == true)
        #expect(silence.stalls == 1)
        #expect(silence.stalledSeconds == 5)
    }

    @Test mutating func `is admitted within two seconds`() {
        for _ in 1...100 { _ = silence.takeGap(0.3) }
        #expect(silence.limit < 2)
    }

    @Test mutating func `between the chunks of a slow link is no stall`() {
        let stalls = (1...40).filter { _ in silence.takeGap(4) }
        #expect(stalls.isEmpty)
        #expect(silence.limit > 8)
    }

    @Test mutating func `after a slow link's habit is known is a stall when it is three times as long`() {
        for _ in 1...40 { _ = silence.takeGap(4) }
        #expect(silence.takeGap(20) == true)
    }

    @Test mutating func `that came once does not lengthen the time left, and more of it does`() {
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        #expect(silence.factor(activeSeconds: 10) == 1)
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        // 20 s stalled in 10 s of moving, two stalls: a ninth of it.
        #expect(abs(silence.factor(activeSeconds: 10) - (1 + 2.0 / 9)) < 1e-12)
    }
}
