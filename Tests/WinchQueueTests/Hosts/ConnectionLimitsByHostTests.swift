import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The gates of all hosts` {
    private let now = Moment(seconds: 1)

    @Test func `allow a host no connections until its wait is over`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 4)
        gates.close("a", until: now + .seconds(5))
        expect(gates.places(at: "a") == 0 && gates.closed == ["a"])
        expectEqual(gates.nextChange { _ in 0 }, now + .seconds(5))
        let early = gates.pass(to: now + .seconds(4), connections: { _ in 0 })
        expect(early.wider == [] && !early.hasOpened)
        let (wider, hasOpened) = gates.pass(to: now + .seconds(5), connections: { _ in 0 })
        expect(wider == ["a"] && hasOpened && gates.places(at: "a") == 4)
    }

    @Test func `are forgotten of hosts that refused nothing when many others have come since`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 1)
        gates.close("a", until: now + .seconds(5))
        for number in 0...2 * ConnectionLimitsByHost.mostQuiet {
            _ = gates.started("\(number)", at: now)
            _ = gates.pass(to: now, connections: { _ in 0 })
        }
        expectNil(gates["0"])
        expect(gates["a"] != nil && gates.places(at: "a") == 0)
    }

    @Test func `are forgotten of hosts that may have allowed a file no more when many others have come since`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 1)
        for seconds in [0, 60] { gates.noteFileLimit(2, of: "a", at: now + .seconds(seconds)) }
        var resets = [gates.wasReset("a", beside: 1)]
        for number in 1...ConnectionLimitsByHost.mostQuiet {
            gates.noteFileLimit(2, of: "\(number)", at: now)
            resets.append(gates.wasReset("\(number)", beside: 1))
        }
        gates.noteFileLimit(2, of: "a", at: now + .seconds(120))
        resets.append(gates.wasReset("a", beside: 1))
        expectNil(gates.allowance("a"))
        expect(!resets.contains(true))
    }

    @Test func `widen by themselves only while connections are open`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 1)
        _ = gates.started("a", at: now)
        let later = now + HostConnectionLimit.longestSilence
        expectEqual(gates.nextChange { _ in 1 }, later)
        var idle = gates
        let opened = [
            idle.pass(to: later, connections: { _ in 0 }).wider, gates.pass(to: later, connections: { _ in 1 }).wider,
        ]
        expectEqual(opened, [[], ["a"]])
        expectEqual(gates.places(at: "a"), 2)
    }

    @Test func `list the hosts that refused, until they are cleared`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 8)
        let one = TransferID(1)
        let isWider = gates.refused("a", one, beside: 3, begun: now, at: now)
        expect(!isWider)
        expectEqual(gates.limits(below: 8).map(\.connections), [2])
        expect(gates.limits(below: 2).isEmpty)
        let isWiderAgain = gates.withdrawRefusal("a", of: one)
        expect(isWiderAgain && gates.limits(below: 8).isEmpty)
    }

    @Test func `remember what a host allows for one file after refusals in three minutes, and then try one more`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 1)
        var found: [Int?] = []
        for seconds in [0, 10, 60, 120, 180] {
            gates.noteFileLimit(2, of: "a", at: now + .seconds(seconds))
            found.append(gates.allowance("a"))
        }
        expectEqual(found, [nil, nil, nil, 2, 2])
        gates.noteCompletedFile("a")
        expectEqual(gates.allowance("a"), 3)
        gates.noteFurther(4, at: "a")
        expectNil(gates.allowance("a"), "it has let in more")
    }

    @Test func `take one reset of a further connection for chance`() {
        var gates = ConnectionLimitsByHost(perHost: 8, perNewHost: 1)
        let before = [gates.wasReset("a", beside: 1), gates.wasReset("a", beside: 1), gates.wasReset("b", beside: 1)]
        expectEqual(before, [false, true, false])
        gates.noteFurther(2, at: "b")
        let isAgain = gates.wasReset("b", beside: 2)
        expect(!isAgain)
    }
}
