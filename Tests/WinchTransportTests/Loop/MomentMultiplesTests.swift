import TestSupport
import Testing
import WinchModel

@testable import WinchTransport

@Suite struct `The next multiple of a span` {
    @Test(arguments: [(0, 100), (1, 100), (99, 100), (100, 200), (-1, 0), (-100, 0), (-101, -100)])
    func `is after the instant, and the same for all instants since the last`(instant: Int, next: Int) {
        let instant = Moment(nanoseconds: Int64(instant) * 1_000_000)
        expectEqual(instant.next(multipleOf: .milliseconds(100)), Moment(nanoseconds: Int64(next) * 1_000_000))
    }
}
