import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `The time left of a file that is split` {
    private typealias Line = `Splitting a file`.Line

    /// Seconds left, of the queue and of the row, and open connections at each tenth of a second.
    private struct Reading {
        var queue: Double?
        var row: Double?
        var connections: Int
    }

    private func readings(_ line: inout Line, seconds: Double, rate: @escaping (Int) -> Double) -> [Reading] {
        (0..<Int(seconds * 10)).map { _ in
            line.pass(0.1, rate: rate)
            let now = line.run.now
            return Reading(
                queue: line.run.queue.totals(at: now).finish.map { ($0 - now).seconds },
                row: line.run.queue.row(TransferID(1), at: now)?.finish.map { ($0 - now).seconds },
                connections: line.open)
        }
    }

    /// The largest step up in a tenth of a second, as a share of the time left.
    private func largestRise(_ times: [Double?]) -> Double {
        zip(times, times.dropFirst()).reduce(0) { largest, pair in
            guard let before = pair.0, let after = pair.1 else { return largest }
            return max(largest, (after - before) / before)
        }
    }

    /// One connection for four seconds, then so many more, then one again.
    private func play(_ more: Int, rate: @escaping (Int) -> Double) -> (
        alone: [Reading], split: [Reading], after: [Reading]
    ) {
        var line = Line()
        line.command(.changeConnections([TransferID(1)], by: -7))
        let alone = readings(&line, seconds: 4, rate: rate)
        line.command(.changeConnections([TransferID(1)], by: more))
        let split = readings(&line, seconds: 2, rate: rate)
        line.command(.changeConnections([TransferID(1)], by: -more))
        return (alone, split, readings(&line, seconds: 6, rate: rate))
    }

    @Test func `does not jump up when further connections begin, and falls with them`() throws {
        let play = play(7) { _ in 4 * 1_048_576 }
        expectEqual(play.alone.last?.connections, 1)
        expectEqual(play.split.last?.connections, 8)
        let readings = play.alone + play.split
        expectLess(largestRise(readings.map(\.queue)), than: 0.05)
        expectLess(largestRise(readings.map(\.row)), than: 0.05)
        let before = try require(play.alone.last?.queue)
        let after = try require(play.split.last?.queue)
        expect(before > 50 && after < before / 3, "\(before) \(after)")
    }

    @Test func `stays as it is while connections that do not help come and go`() throws {
        let play = play(3) { 4 * 1_048_576 / Double($0) }
        expectEqual(play.split.last?.connections, 4)
        expectEqual(play.after.last?.connections, 1)
        let readings = play.alone + play.split + play.after
        expectLess(largestRise(readings.map(\.queue)), than: 0.05)
        expectLess(largestRise(readings.map(\.row)), than: 0.05)
        let last = try require(play.after.last?.queue)
        expectLess(abs(last - (64 - 12)), than: 3, "\(last)")
    }

    @Test func `does not jump up while the number that helps is looked for`() {
        for isShared in [false, true] {
            var line = Line()
            let readings = readings(&line, seconds: 8) { 4 * 1_048_576 / Double(isShared ? $0 : 1) }
            expectMore(readings.map(\.connections).max() ?? 0, than: 1)
            expectLess(largestRise(readings.map(\.queue)), than: 0.05)
            expectLess(largestRise(readings.map(\.row)), than: 0.05)
        }
    }
}
