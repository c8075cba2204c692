import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `Leases of workers` {
    private func leases(_ parts: [(held: Int, need: Int)]) -> Leases {
        var leases = Leases()
        for (index, part) in parts.enumerated() { leases.set("w\(index)", .init(held: part.held, need: part.need)) }
        return leases
    }

    @Test(
        arguments: [
            ([8], 8, [8]), ([8, 8], 8, [4, 4]), ([2, 8], 8, [2, 6]), ([8, 8, 8], 8, [2, 3, 3]),
            // What is left over is divided as well.
            ([1], 8, [8]), ([1, 1], 8, [4, 4]), ([1, 2, 0], 8, [3, 5, 0]),
            // There is less than one for each.
            ([5, 5, 5], 2, [1, 1, 0]), ([0, 0], 8, [0, 0]), ([3], 0, [0]),
        ] as [([Int], Int, [Int])])
    func `have parts by need, and no more than all`(needs: [Int], whole: Int, expected: [Int]) {
        let leases = leases(needs.map { (0, $0) })
        let parts = needs.enumerated().map { leases.fairPart(of: "w\($0)", need: $1, of: whole) }
        expectEqual(parts, expected)
        expectAtMost(parts.reduce(0, +), whole)
    }

    @Test func `stay where they are when there is less than one for each`() {
        let leases = leases([(1, 4), (0, 4), (0, 4)])
        expectEqual(leases.fairPart(of: "w0", need: 4, of: 1), 1)
        expectEqual(leases.fairPart(of: "w1", need: 4, of: 1), 0)
    }

    @Test func `are known to each other`() {
        let leases = leases([(3, 3), (2, 5)])
        expectEqual(leases.held, 5)
        expectEqual(leases.elsewhere(than: "w0"), 2)
        expectEqual(leases.elsewhere(than: "other"), 5)
        expect(leases.isWanted(besides: "w0"))
        expect(!leases.isWanted(besides: "w1"))
    }
}
