import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `The identity of a process` {
    @Test func `tells whether it has ended, on its own machine alone`() throws {
        let own = try require(ProcessIdentity.own)
        expect(!own.hasEnded)
        expectEqual(ProcessIdentity(own.text), own)
        var other = own
        other.start += "1"
        expect(other.hasEnded)
        other.system = "elsewhere pid:[1]"
        expect(!other.hasEnded)
    }

    @Test(arguments: ["", "1", "a b 0 4", "a b -1 4", "a b x 4", "a b 1 2 3"]) func `is not read from other text`(
        text: String
    ) {
        expectNil(ProcessIdentity(text))
    }
}
