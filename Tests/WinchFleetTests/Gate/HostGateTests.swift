import FoundationEssentials
import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `The gate of a host` {
    private var gate = HostGate(host: "http://h")

    private mutating func hold(_ count: Int, isAnswered: Bool = true) {
        gate.leases.set("w", .init(held: count, need: 100))
        if isAnswered { gate.leases.noteAnswered("w") }
    }

    private mutating func grows(atMost most: Int, _ age: Duration) -> Bool { gate.grow(atMost: most, age: age) }

    /// Opens all places on a host that takes so many.
    ///
    /// - Returns: refusals.
    private mutating func load(_ limit: Int, most: Int) -> Int {
        let places = gate.places(atMost: most)
        hold(places, isAnswered: places <= limit)
        if places > limit { gate.refuse() }
        return max(0, places - limit)
    }

    @Test mutating func `doubles while all of its connections are answered, and not before, however slow the host is`()
    {
        for expected in [1, 2, 4, 8, 8] {
            expectEqual(gate.places(atMost: 8), expected)
            hold(expected, isAnswered: false)
            expect(!grows(atMost: 8, .seconds(1000)))
            hold(expected - 1)
            expect(!grows(atMost: 8, .seconds(1000)), "a place is free")
            hold(expected)
            expectEqual(grows(atMost: 8, .zero), (expected < 8))
        }
    }

    @Test mutating func `is halved by a refusal, and grows by one every few seconds to less than was refused`() {
        for count in [1, 2, 4] {
            hold(count)
            _ = gate.grow(atMost: 64, age: .zero)
        }
        hold(8)
        gate.refuse()
        expectEqual(gate.window, 4)
        expectEqual(gate.refusals, 1)
        for count in 4..<7 {
            hold(count)
            expect(!grows(atMost: 64, .seconds(4)))
            expect(grows(atMost: 64, .seconds(5)))
        }
        expectEqual(gate.window, 7)
        hold(7)
        expect(!grows(atMost: 64, .seconds(119)))
        expect(grows(atMost: 64, .seconds(120)))
        expectEqual(gate.window, 8)
        hold(8)
        gate.refuse()
        expectEqual(gate.window, 4)
        for _ in 4..<7 {
            hold(gate.window)
            _ = gate.grow(atMost: 64, age: .seconds(5))
        }
        hold(7)
        // The next trial comes four times as late.
        expect(!grows(atMost: 64, .seconds(479)))
        expect(grows(atMost: 64, .seconds(480)))
    }

    @Test(arguments: 1...40)
    func `finds what a host takes with fewer than twice so many refusals`(limit: Int) {
        var test = self
        var refusals = 0
        for _ in 0..<200 {
            refusals += test.load(limit, most: 64)
            _ = test.gate.grow(atMost: 64, age: .seconds(5))
        }
        expectLess(refusals, than: 2 * limit)
        expectEqual(test.gate.window, limit)
    }

    @Test mutating func `never has less than one place, nor more than the user allows`() {
        for _ in 0..<10 { gate.refuse() }
        expectEqual(gate.window, 1)
        expect(gate.isPlausible)
        expectEqual(HostGate(host: "h").places(atMost: 0), 1)
    }

    @Test(arguments: ["proven", "refusals", "doubtful", "failedTrials"])
    func `is not plausible when a count in it cannot grow`(name: String) throws {
        let text = String(decoding: KeyValueBucket.encode(gate), as: UTF8.self)
        let hostile = text.replacing("\"\(name)\":0", with: "\"\(name)\":\(Int.max)")
        expect(hostile != text)
        let read = try JSONDecoder().decode(HostGate.self, from: Data(hostile.utf8))
        expect(!read.isPlausible)
    }
}

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
