import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `One worker's part in the gates` {
    private var machine = GateMachine(worker: "me", most: 8)
    private var number = 0

    private func use(
        _ open: Int, _ waiting: Int, accepted: Int = 0, share: Int = 0, answers: Int = 0, refusals: Int = 0
    ) -> HostUse {
        HostUse(
            host: "h", open: open, accepted: accepted, waiting: waiting, share: share, answers: answers,
            refusals: refusals)
    }

    private func gate(_ window: Int, _ parts: [String: Int], need: Int = 8) -> HostGate {
        var gate = HostGate(host: "h")
        while gate.window < window {
            gate.leases.set("filler", .init(held: gate.window, need: gate.window))
            gate.leases.noteAnswered("filler")
            _ = gate.grow(atMost: 64, age: .zero)
        }
        gate.leases.set("filler", nil)
        for (worker, held) in parts { gate.leases.set(worker, .init(held: held, need: need)) }
        return gate
    }

    private func stored(_ actions: [GateMachine.Action]) -> HostGate? {
        for case .store(let gate, _) in actions { return gate }
        return nil
    }

    private func share(_ actions: [GateMachine.Action]) -> HostShare? {
        for case .share(_, let share) in actions.reversed() { return share }
        return nil
    }

    private mutating func begin() {
        _ = machine.apply(.signed(at(0)), at: at(0))
        _ = machine.apply(.used([use(0, 8)]), at: at(0))
    }

    /// Holds so many places of a gate that stands open, and its queue knows.
    ///
    /// - Returns: the share that the queue was told last.
    @discardableResult private mutating func hold(_ count: Int, besides others: [String: Int] = [:]) -> HostShare? {
        begin()
        let read = gate(8, others.merging(["me": count]) { $1 })
        let told = share(machine.apply(.read("h", read, revision: 1), at: at(0)))
        _ = machine.apply(.used([use(count, 8 - count, share: told?.number ?? 0)]), at: at(0))
        return told
    }

    @Test mutating func `begins when its sign of life is stored`() {
        expectEqual(machine.apply(.used([use(0, 3)]), at: at(0)), [.watch("h"), .sign])
        expectEqual(machine.apply(.signed(at(0)), at: at(10)), [.read("h", after: .zero)])
        let actions = machine.apply(.read("h", nil, revision: nil), at: at(20))
        // A host that is not known gets one connection.
        expectEqual(stored(actions)?.leases["me"], .init(held: 1, need: 3))
        expectEqual(share(actions)?.places ?? 0, 0)
        expectEqual(share(machine.apply(.stored("h", revision: 5), at: at(30)))?.places, 1)
    }

    @Test mutating func `reads again when another worker was first`() {
        _ = machine.apply(.signed(at(0)), at: at(0))
        _ = machine.apply(.used([use(0, 3)]), at: at(0))
        _ = machine.apply(.read("h", nil, revision: nil), at: at(0))
        expectEqual(machine.apply(.notStored("h"), at: at(10)), [.read("h", after: .zero)])
        // All are taken.
        let actions = machine.apply(.read("h", gate(1, ["other": 1], need: 1), revision: 7), at: at(20))
        expectNil(stored(actions))
        expectEqual(share(actions)?.places ?? 0, 0)
        expectEqual(share(actions)?.elsewhere, 1)
    }

    @Test mutating func `takes one that waits for a place for one that may have it by now`() {
        expectEqual(hold(8, besides: ["other": 0])?.elsewhere, 1)
        expectEqual(hold(8)?.elsewhere, 0)
    }

    @Test mutating func `widens the gate when the host has let in all of its connections, however long they last`() {
        machine = GateMachine(worker: "me", most: 32)
        let share = hold(4, besides: ["other": 4])?.number ?? 0
        var read = gate(8, ["me": 4, "other": 4])
        read.leases.noteAnswered("other")
        _ = machine.apply(.changed("h"), at: at(1))
        expectNil(stored(machine.apply(.read("h", read, revision: 2), at: at(2))))
        expectNil(stored(machine.apply(.used([use(4, 4, accepted: 3, share: share)]), at: at(9000))))
        expectEqual(stored(machine.apply(.used([use(4, 4, accepted: 4, share: share)]), at: at(9000)))?.window, 16)
    }

    @Test mutating func `makes the pause that the host asked one worker for that of all`() {
        let share = hold(4, besides: ["other": 4])?.number ?? 0
        var asked = use(3, 5, share: share)
        (asked.pauses, asked.pause) = (1, .seconds(30))
        let new = stored(machine.apply(.used([asked]), at: at(1)))
        expectEqual(new?.pauses, 1)
        expectEqual(new?.pauseSeconds, 30)
        // Its own queue knows.
        let actions = machine.apply(.stored("h", revision: 2), at: at(2))
        expectNil(self.share(actions)?.pause)

        machine = GateMachine(worker: "me", most: 8)
        hold(4, besides: ["other": 4])
        _ = machine.apply(.changed("h"), at: at(1))
        let told = self.share(machine.apply(.read("h", new, revision: 2), at: at(2)))
        expectEqual(told?.pause, .seconds(30))
        // Once.
        _ = machine.apply(.changed("h"), at: at(3))
        expectNil(self.share(machine.apply(.read("h", new, revision: 2), at: at(4))))
    }

    @Test mutating func `takes no pause from before it joined`() {
        var old = gate(8, ["other": 4])
        old.pause(for: .seconds(30))
        begin()
        _ = machine.apply(.read("h", old, revision: 1), at: at(0))
        let actions = machine.apply(.stored("h", revision: 2), at: at(1))
        expectEqual(share(actions)?.places, 4)
        expectNil(share(actions)?.pause)
    }

    @Test mutating func `takes what is free, and no more`() {
        begin()
        let actions = machine.apply(.read("h", gate(8, ["other": 6]), revision: 7), at: at(0))
        expectEqual(stored(actions)?.leases["me"]?.held, 2)
        // It says what it needs, so that the other gives back what is more than its part.
        expectEqual(stored(actions)?.leases["me"]?.need, 8)
    }

    @Test mutating func `gives up places in its queue first, then in the bucket`() throws {
        hold(8)
        var wanted = gate(8, ["me": 8])
        wanted.leases.set("other", .init(held: 0, need: 8))
        let actions = machine.apply(.read("h", wanted, revision: 2), at: at(10))
        expectNil(stored(actions))
        let told = try require(share(actions))
        expectEqual(told.places, 4)
        expect(!told.isEnforced)
        // The queue knows; three of its connections have ended.
        let after = machine.apply(.used([use(5, 3, share: told.number)]), at: at(20))
        expectEqual(stored(after)?.leases["me"]?.held, 5)
    }

    @Test mutating func `halves the gate for all when its queue was refused`() {
        let told = hold(4, besides: ["other": 4])
        let refused = use(3, 5, share: told?.number ?? 0, refusals: 1)
        let new = stored(machine.apply(.used([refused]), at: at(10)))
        expectEqual(new?.window, 4)
        expectEqual(new?.refusals, 1)
        expectEqual(share(machine.apply(.stored("h", revision: 3), at: at(20)))?.refusals, 1)
    }

    @Test mutating func `does not halve the gate again for a refusal from before`() {
        let told = hold(4, besides: ["other": 4])
        var halved = gate(8, ["me": 4, "other": 4])
        halved.refuse()
        _ = machine.apply(.used([use(3, 5, share: told?.number ?? 0, refusals: 1)]), at: at(10))
        _ = machine.apply(.notStored("h"), at: at(20))
        let actions = machine.apply(.read("h", halved, revision: 9), at: at(30))
        expectEqual(stored(actions)?.window ?? 4, 4)
        expectEqual(stored(actions)?.refusals ?? 1, 1)
    }

    @Test mutating func `stops its queue before what it holds ends`() {
        hold(8)
        expectNil(share(machine.apply(.tick, at: at(9000))))
        let last = share(machine.apply(.tick, at: at(9600)))
        expectEqual(last?.places, 0)
        expectEqual(last?.isEnforced, true)
        // It waits for the server, however long that takes.
        expectNil(stored(machine.apply(.tick, at: at(60_000))))
        // The read of the tick before has no answer.
        _ = machine.apply(.notStored("h"), at: at(60_000))
        let back = machine.apply(.signed(at(61_000)), at: at(61_000))
        expectEqual(back, [.read("h", after: .zero)])
        expectEqual(share(machine.apply(.read("h", gate(8, ["me": 8]), revision: 1), at: at(61_000)))?.places, 8)
    }

    @Test mutating func `does not trust a sign that took too long to be stored`() {
        _ = machine.apply(.used([use(0, 3)]), at: at(0))
        expectEqual(machine.apply(.signed(at(0)), at: at(9700)), [])
        expect(machine.isExpired)
    }

    @Test mutating func `takes the places of the dead`() {
        begin()
        _ = machine.apply(.read("h", gate(8, ["dead": 8]), revision: 7), at: at(0))
        _ = machine.apply(.stored("h", revision: 8), at: at(0))
        expect(machine.apply(.tick, at: at(1000)).contains(.see("dead")))
        _ = machine.apply(.seen("dead", 3, asked: at(1000), hasEnded: false), at: at(1000))
        _ = machine.apply(.signed(at(9000)), at: at(9000))
        _ = machine.apply(.seen("dead", 3, asked: at(11_000), hasEnded: false), at: at(11_000))
        let actions = machine.apply(.changed("h"), at: at(11_000))
        expectEqual(actions, [.read("h", after: .zero)])
        let new = stored(machine.apply(.read("h", gate(8, ["dead": 8]), revision: 8), at: at(11_000)))
        expectEqual(new?.leases.holders.keys.sorted(), ["me"])
        expectEqual(new?.leases["me"]?.held, 8)
    }

    @Test mutating func `gives everything back at its end`() {
        hold(4, besides: ["other": 4])
        let gate = stored(machine.giveBack())
        expectEqual(gate?.leases.holders.keys.sorted(), ["other"])
    }

    @Test mutating func `gives back what it holds when another changes the gate first`() {
        hold(4, besides: ["other": 4])
        expect(stored(machine.giveBack()) != nil)
        expect(machine.isGivingBack)
        expectEqual(machine.apply(.notStored("h"), at: at(100)), [.read("h", after: .zero)])
        let gate = stored(machine.apply(.read("h", gate(8, ["me": 4, "third": 2]), revision: 9), at: at(100)))
        expectEqual(gate?.leases.holders.keys.sorted(), ["third"])
        expectEqual(machine.apply(.stored("h", revision: 10), at: at(200)), [])
        expect(!machine.isGivingBack)
    }

    @Test mutating func `moves nothing before it has a part of the limit`() throws {
        _ = machine.apply(.limited(1000), at: at(0))
        let told = hold(8)
        expectEqual(told?.places ?? 0, 0)
        expect(machine.apply(.tick, at: at(1000)).contains(.readRate))
        var others = Leases()
        others.set("other", .init(held: 400, need: 1000))
        let actions = machine.apply(.rateRead(others, revision: 4), at: at(1000))
        guard case .storeRate(let leases, 4)? = actions.last else { Issue.record("\(actions)"); return }
        expectEqual(leases["me"], .init(held: 500, need: 1000))
        let granted = machine.apply(.rateStored(revision: 5), at: at(1010))
        expectEqual(granted.first, .limit(500))
        expectEqual(share(granted)?.places, 8)
        expect(machine.apply(.limited(nil), at: at(2000)).contains(.limit(nil)))
    }
}
