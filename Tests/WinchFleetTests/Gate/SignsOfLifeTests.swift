import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `Signs of life` {
    private var signs = SignsOfLife()

    private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

    @Test mutating func `are missed when one is the same for the lifetime of a lease`() {
        signs.note("w", 7, asked: at(0), at: at(1))
        expect(!signs.isDead("w"))
        // The answer took long: what counts is when it was asked for.
        signs.note("w", 7, asked: at(10), at: at(30))
        expect(!signs.isDead("w"))
        signs.note("w", 7, asked: at(11), at: at(31))
        expect(signs.isDead("w"))
        signs.note("w", 8, asked: at(32), at: at(32))
        expect(!signs.isDead("w"))
    }

    @Test mutating func `of a worker that never gave one are missed as well`() {
        signs.note("w", nil, asked: at(0), at: at(0))
        signs.note("w", nil, asked: at(10), at: at(10))
        expect(signs.isDead("w"))
        expect(!signs.isDead("other"))
    }

    @Test mutating func `are not waited for when the process is known to have ended`() {
        signs.note("w", 7, asked: at(0), hasEnded: true, at: at(0))
        expect(signs.isDead("w"))
    }

    @Test mutating func `from before a lost connection say nothing`() {
        signs.note("w", 7, asked: at(0), at: at(0))
        signs.restart()
        signs.note("w", 7, asked: at(20), at: at(20))
        expect(!signs.isDead("w"))
    }
}

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
