import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `The greeting of a session` {
    /// The time of day is set, or the machine has slept: within one start of the machine the clock is the same.
    @Test(
        arguments: [
            (100.0, "a", 0), (3700.0, "a", 0), (100.4, "b", 0), (3700.4, "b", 3600), (3700.0, nil, 3600),
        ] as [(Double, String?, Int64)])
    func `says whether its moments are those of this process`(origin: Double, boot: String?, shift: Int64) throws {
        var greeting = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0), boot: boot)
        greeting.origin = origin
        let found = try ClockShift(from: greeting, to: UnixTime(milliseconds: 100_000), boot: "a")
        expectEqual(found.seconds, shift)
    }

    @Test(arguments: [1.8e12, 1e300, -1e300, .infinity, .nan])
    func `is refused with an origin that no clock has`(origin: Double) {
        var greeting = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0), boot: "b")
        greeting.origin = origin
        #expect(throws: SessionFailure.self) {
            try ClockShift(from: greeting, to: UnixTime(milliseconds: 0), boot: "a")
        }
    }
}
