import Testing

@testable import WinchModel
@testable import WinchProgress

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
        #expect(end.at == nil)
        end.aim(at: 70, timeLeft: 60, after: 0.1)
        #expect(end.at == 70)
    }

    @Test func `hardly moves within its tolerance`() {
        #expect(Self.end(from: 100, to: 101.5, timeLeft: 60, after: 2) < 100.1)
        #expect(Self.end(from: 100, to: 100.2, timeLeft: 2, after: 1) < 100.02)
    }

    @Test func `moves gradually to a target outside the tolerance, faster when the end is near`() {
        let far = Self.end(from: 100, to: 110, timeLeft: 100, after: 2)
        let near = Self.end(from: 100, to: 101, timeLeft: 5, after: 2)
        #expect((102..<109).contains(far))
        #expect((100.5..<101).contains(near))
    }

    @Test func `moves faster when it is far off`() {
        let wrong = Self.end(from: 400, to: 100, timeLeft: 60, after: 2)
        #expect(wrong < 160)
    }

    @Test func `is postponed by the time that was lost`() {
        var end = ShownTimeLeft()
        end.postpone(by: 3)
        #expect(end.at == nil)
        end.jump(to: 10)
        end.postpone(by: 3)
        #expect(end.at == 13)
    }
}
