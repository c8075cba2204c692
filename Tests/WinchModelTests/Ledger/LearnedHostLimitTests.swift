import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A host's allowance` {
    @Test(
        arguments: [
            (0, 3), (3_600_000 - 1, 3), (3_600_000, nil), (-1, nil), (Int64.min, nil),
        ] as [(Int64, Int?)])
    func `is valid for an hour`(age: Int64, expected: Int?) {
        let allowance = LearnedHostLimit(host: "a", connections: 3, learnedAt: UnixTime(milliseconds: 1000))
        expectEqual(allowance.connections(at: UnixTime(milliseconds: age &+ 1000)), expected)
    }

    @Test func `is at least one connection`() {
        expectEqual(LearnedHostLimit(host: "a", connections: 0, learnedAt: UnixTime(milliseconds: 0)).connections, 1)
    }
}
