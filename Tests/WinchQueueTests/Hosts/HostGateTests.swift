import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A host's gate` {
    private static let start = Moment(seconds: 100)
    private static let id = TransferID(1)

    @Test func `opens to one, and doubles while all are let in`() {
        var gate = HostGate(window: 1)
        for company in [1, 2, 3, 4, 8] {
            gate.answered(together: company, at: Self.start)
            #expect(gate.window == 2 * company)
        }
        #expect(!gate.hasRefused)
    }

    @Test func `widens without an answer as well, or a slow first byte would hold up all`() {
        var gate = HostGate(window: 1)
        gate.started(at: Self.start)
        #expect(gate.growsAt == Self.start + HostGate.longestSilence)
        gate.noteSilence(at: Self.start + HostGate.longestSilence)
        #expect(gate.window == 2)
        #expect(gate.growsAt == Self.start + HostGate.longestSilence * 2)
    }

    @Test func `halves when a connection is refused, once for those begun together`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        for _ in 0..<4 { gate.refused(Self.id, beside: 7, begun: Self.start, at: Self.start + .seconds(1)) }
        #expect(gate.window == 4)
        gate.refused(Self.id, beside: 3, begun: Self.start + .seconds(2), at: Self.start + .seconds(2))
        #expect(gate.window == 2)
        for turn in 3...9 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        #expect(gate.window == 1)
    }

    @Test func `is soon back at what was answered, and goes beyond it slowly`() {
        var gate = HostGate(window: 1)
        for company in 1...3 { gate.answered(together: company, at: Self.start) }
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        #expect(gate.window == 2)
        gate.answered(together: 2, at: Self.start)
        #expect(gate.window == 3)
        // Neither answers alone widen it further, nor time alone.
        for _ in 0..<1000 { gate.answered(together: 3, at: Self.start + .seconds(1)) }
        #expect(gate.window == 3)
        let later = Self.start + HostGate.firstTrialInterval
        gate.answered(together: 3, at: later)
        #expect(gate.window == 4)
        // One at a time: that one has to be answered first.
        for _ in 0..<1000 { gate.answered(together: 3, at: later + .seconds(10_000)) }
        #expect(gate.window == 4)
        gate.answered(together: 4, at: later)
        #expect(gate.proven == 4)
    }

    @Test func `gives back one by one what was answered before, when no new transfer asks`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 3, at: Self.start)
        for turn in 1...2 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        #expect(gate.window == 1)
        let proven = gate.proven
        #expect(proven > 1)
        var now = Self.start + .seconds(2)
        for window in 2...proven {
            #expect(gate.isGrowing(upTo: 8))
            #expect(gate.growsAt == now + HostGate.recovery)
            now = now + HostGate.recovery
            gate.noteSilence(at: now)
            #expect(gate.window == window)
        }
        // Not beyond: there time alone proves nothing.
        #expect(!gate.isGrowing(upTo: 8))
    }

    @Test func `waits four times as long after a trial that failed`() {
        var gate = HostGate(window: 2)
        gate.answered(together: 1, at: Self.start)
        gate.refused(Self.id, beside: 1, begun: Self.start, at: Self.start)
        func tried(after span: Duration) -> Bool {
            var copy = gate
            for _ in 0..<100 { copy.answered(together: 1, at: Self.start + span) }
            return copy.window > 1
        }
        #expect(!tried(after: HostGate.firstTrialInterval - .seconds(1)))
        #expect(tried(after: HostGate.firstTrialInterval))
        var now = Self.start + HostGate.firstTrialInterval
        for _ in 0..<100 { gate.answered(together: 1, at: now) }
        now = now + .seconds(1)
        gate.refused(Self.id, beside: 1, begun: now, at: now)
        #expect(gate.window == 1)
        #expect(!tried(after: now - Self.start + HostGate.firstTrialInterval * 4 - .seconds(1)))
        #expect(tried(after: now - Self.start + HostGate.firstTrialInterval * 4))
    }

    @Test func `forgives a refusal that came before the host saw another end`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 4, begun: Self.start, at: Self.start)
        let later = Self.start + .seconds(1)
        gate.refused(Self.id, beside: 3, begun: later, at: later)
        #expect(gate.proven == 4)
        gate.refused(Self.id, beside: 3, begun: later + .seconds(1), at: later + .seconds(1))
        #expect(gate.proven == 3)
    }

    @Test func `is as before when the refused URL proves to be refused always, unless others were refused as well`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        var both = gate
        both.refused(TransferID(2), beside: 1, begun: Self.start + .seconds(1), at: Self.start + .seconds(1))
        #expect((gate.window, both.window) == (2, 1))
        gate.withdrawRefusal(of: Self.id)
        #expect((gate.window, gate.hasRefused) == (8, false))
        both.withdrawRefusal(of: Self.id)
        #expect((both.window, both.hasRefused) == (1, true))
        both.withdrawRefusal(of: TransferID(2))
        #expect((both.window, both.hasRefused) == (8, false))
    }
}
