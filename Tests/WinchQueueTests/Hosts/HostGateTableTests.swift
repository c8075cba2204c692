import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A host gate in the queue` {
    @Test func `is given as the reason for a wait in the row and the totals`() {
        var run = QueueRun { $0.perNewHost = 2 }
        run.add(4)
        #expect(run.running == [1, 2])
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        #expect(run.running == [1])
        #expect(run.phase(2) == .waiting)
        let totals = run.queue.totals(at: run.now)
        #expect(totals.fullHosts == ["a.example"])
        #expect(totals.hostLimits == [QueueTotals.HostLimit(host: "a.example", connections: 1)])
        // The refused transfer is next, and its tries are not used up.
        run.finish(1, with: 1000)
        #expect(run.running == [2])
        #expect(run.queue[TransferID(2)]?.history.tries == 1)
    }

    @Test func `starts nothing while the host asks to wait`() {
        var run = QueueRun()
        run.add(2, settings: .sample(retryWait: .zero))
        run.fail(1, .httpStatus(429), retryAfter: .seconds(10))
        run.finish(2, with: 10)
        run.add(1)
        #expect(run.running == [])
        #expect(run.queue.totals(at: run.now).fullHosts == ["a.example"])
        run.wait(.seconds(9.9))
        #expect(run.running == [])
        #expect(run.queue.nextTick(after: run.now) ?? run.now + .seconds(9) <= run.now + .seconds(0.1))
        run.wait(.seconds(0.2))
        // Only one at first, because it was refused while another was connected.
        #expect(run.running.count == 1)
    }

    @Test func `sends no size probes that the host would refuse`() {
        var run = QueueRun {
            $0.perNewHost = 2
            $0.mode = .accurate
        }
        run.add(4)
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        run.pass(.seconds(1))
        #expect(run.queue.probes.open.isEmpty)
    }
}

@Suite struct `The gates of all hosts` {
    private let now = Moment(seconds: 1)

    @Test func `allow a new host few connections and a proven one more`() {
        var gates = HostGateTable(perHost: 8, perNewHost: 1)
        #expect(gates.places(at: "a") == 1)
        let opened = [
            gates.started("a", at: now), gates.answered("a", together: 1, isServed: true, at: now),
        ]
        #expect(opened == [false, true])
        #expect(gates.places(at: "a") == 2 && gates.places(at: "b") == 1)
    }

    @Test func `allow a host no connections until its wait is over`() {
        var gates = HostGateTable(perHost: 8, perNewHost: 4)
        gates.close("a", until: now + .seconds(5))
        #expect(gates.places(at: "a") == 0 && gates.closed == ["a"])
        #expect(gates.nextChange { _ in 0 } == now + .seconds(5))
        let early = gates.pass(to: now + .seconds(4), connections: { _ in 0 })
        #expect(early.wider == [] && !early.hasOpened)
        let (wider, hasOpened) = gates.pass(to: now + .seconds(5), connections: { _ in 0 })
        #expect(wider == ["a"] && hasOpened && gates.places(at: "a") == 4)
    }

    @Test func `widen by themselves only while connections are open`() {
        var gates = HostGateTable(perHost: 8, perNewHost: 1)
        _ = gates.started("a", at: now)
        let later = now + HostGate.longestSilence
        #expect(gates.nextChange { _ in 1 } == later)
        var idle = gates
        let opened = [
            idle.pass(to: later, connections: { _ in 0 }).wider, gates.pass(to: later, connections: { _ in 1 }).wider,
        ]
        #expect(opened == [[], ["a"]])
        #expect(gates.places(at: "a") == 2)
    }

    @Test func `list the hosts that refused, until they are cleared`() {
        var gates = HostGateTable(perHost: 8, perNewHost: 8)
        let one = TransferID(1)
        let isWider = gates.refused("a", one, beside: 3, begun: now, at: now)
        #expect(!isWider)
        #expect(gates.limits(below: 8).map(\.connections) == [2])
        #expect(gates.limits(below: 2).isEmpty)
        let isWiderAgain = gates.withdrawRefusal("a", of: one)
        #expect(isWiderAgain && gates.limits(below: 8).isEmpty)
    }

    @Test func `let a host rest after repeated failures`() {
        var gates = HostGateTable(perHost: 8, perNewHost: 8)
        #expect(gates.hasNoFaults)
        for _ in 0..<MirrorFaults.faultLimit { gates.failed("a", at: now) }
        #expect(gates.isCoolingDown("a", at: now) && !gates.isCoolingDown("b", at: now))
        gates.noteCompletedFile("a")
        #expect(!gates.isCoolingDown("a", at: now))
    }
}
