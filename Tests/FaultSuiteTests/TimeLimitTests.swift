import TestSupport
import Testing

@Suite struct `A time limit` {
    private let start = ContinuousClock.now

    @Test func `is what it says on a quiet machine`() {
        var limit = TimeLimit(.seconds(20), from: start)
        var measured = 0
        let measure = {
            measured += 1
            return 1.0
        }
        let early = limit.isOver(at: start + .seconds(19), measure: measure)
        expect(!early && measured == 0)
        let isOver = limit.isOver(at: start + .seconds(20), measure: measure)
        expect(isOver && measured == 1 && limit.words == "20 s")
    }

    @Test func `is as much longer as the machine is busy, and says so`() {
        var limit = TimeLimit(.seconds(20), from: start)
        let atFirst = limit.isOver(at: start + .seconds(20)) { 3 }
        let early = limit.isOver(at: start + .seconds(59)) { 3 }
        let isOver = limit.isOver(at: start + .seconds(60)) { 3 }
        expect(!atFirst && !early && isOver)
        expectEqual(limit.words, "60 s, on a machine so busy that this is 20 s")
    }

    @Test func `ends with the later one of two, and measures no less than a quiet machine`() {
        expectAtLeast(TimeLimit.measuredStretch(), 1)
        let (short, long) = (TimeLimit(.seconds(4), from: start), TimeLimit(.seconds(12), from: start))
        let later = [short.orLater(long), long.orLater(short), long.orLater(nil)]
        expectEqual(later.map(\.words), Array(repeating: "12 s", count: 3))
    }
}
