import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// Sensitive to time: servers send nothing for a fraction of a second.
@Suite struct `A stall` {
    private let start = Moment(seconds: 100)

    @Test func `is less than a kibibyte within the allowed time`() {
        var watch = StallTimeout(at: start, bytes: 0)
        let looks: [(Double, Int64)] = [(29, 1023), (29.5, 1024), (59, 2047), (59.5, 2047)]
        let stalls = looks.map { second, bytes in
            watch.hasStalled(at: start + .seconds(second), bytes: bytes, allowed: .seconds(30), limit: nil)
        }
        expectEqual(stalls, [false, false, false, true])
    }

    @Test func `excludes pauses by the rate limit and a stopped process`() {
        var slow = StallTimeout(at: start, bytes: 0)
        let rate = ByteRate(perSecond: 10)
        let isSlow = slow.hasStalled(at: start + .seconds(30), bytes: 200, allowed: .seconds(30), limit: rate)
        expect(!isSlow)
        var stopped = StallTimeout(at: start, bytes: 0)
        stopped.exclude(.seconds(3600))
        let isStalled = stopped.hasStalled(at: start + .seconds(3601), bytes: 0, allowed: .seconds(30), limit: nil)
        expect(!isStalled)
    }
}
