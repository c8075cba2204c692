import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `A simulated gate` {
    private static func result(span: Int, _ change: (inout SimulatedGate) -> Void) -> SimulatedGate.Result {
        var gate = SimulatedGate()
        gate.workers = 8
        change(&gate)
        return gate.run(span: span, seed: 1)
    }

    @Test(arguments: [1, 3, 16], [1, 6, 20])
    func `sees fewer than twice as many refusals as the host admits`(limit: Int, workers: Int) {
        let result = Self.result(span: 20_000) { ($0.limit, $0.workers) = (limit, workers) }
        expectLess(result.refusals, than: 2 * limit)
        expectAtMost(result.used, limit)
        expectAtLeast(result.used, min(limit, workers * 8) / 3)
    }

    @Test(arguments: [1, 5, 8], [1, 3, 12])
    func `never has more connections than the user allows, and uses them`(most: Int, workers: Int) {
        let result = Self.result(span: 10_000) { ($0.most, $0.workers) = (most, workers) }
        expectAtMost(result.most, most)
        expectAtLeast(result.used, min(most, workers * 8) * 3 / 4)
        expectEqual(result.refusals, 0)
    }

    @Test(arguments: [2, 10]) func `gives the places of dead workers to others within seconds`(workers: Int) throws {
        let result = Self.result(span: 22_000) { ($0.most, $0.workers, $0.deaths) = (8, workers, (1, 5000)) }
        let recovery = try require(result.recovery)
        expectLess(recovery, than: 15_000)
        expectEqual(result.refusals, 0)
    }

    @Test func `is kept when a worker is cut off from the bucket and goes on working`() {
        let result = Self.result(span: 60_000) { ($0.most, $0.workers, $0.cut) = (8, 3, (0, 5000..<40_000)) }
        expectAtMost(result.most, 8)
        expectAtLeast(result.used, 6)
    }
}
