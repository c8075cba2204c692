import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A host's gate` {
    private static let start = Moment(seconds: 100)
    private static let id = TransferID(1)

    @Test func `admits one connection at first and doubles with every answer`() {
        var gate = HostConnectionLimit(window: 1)
        for company in [1, 2, 3, 4, 8] {
            gate.answered(together: company, at: Self.start)
            expectEqual(gate.window, 2 * company)
        }
        expect(!gate.hasRefused)
    }

    @Test func `widens after a while without an answer, so that a slow first byte does not block it`() {
        var gate = HostConnectionLimit(window: 1)
        gate.started(at: Self.start)
        expectEqual(gate.growsAt, Self.start + HostConnectionLimit.longestSilence)
        gate.noteSilence(at: Self.start + HostConnectionLimit.longestSilence)
        expectEqual(gate.window, 2)
        expectEqual(gate.growsAt, Self.start + HostConnectionLimit.longestSilence * 2)
    }

    @Test func `halves when connections are refused, once for those started together`() {
        var gate = HostConnectionLimit(window: 8)
        gate.answered(together: 4, at: Self.start)
        for _ in 0..<4 { gate.refused(Self.id, beside: 7, begun: Self.start, at: Self.start + .seconds(1)) }
        expectEqual(gate.window, 4)
        gate.refused(Self.id, beside: 3, begun: Self.start + .seconds(2), at: Self.start + .seconds(2))
        expectEqual(gate.window, 2)
        for turn in 3...9 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        expectEqual(gate.window, 1)
    }

    @Test func `recovers quickly to the proven number and grows slowly beyond it`() {
        var gate = HostConnectionLimit(window: 1)
        for company in 1...3 { gate.answered(together: company, at: Self.start) }
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        expectEqual(gate.window, 2)
        gate.answered(together: 2, at: Self.start)
        expectEqual(gate.window, 3)
        // It needs both answers and time to widen further.
        for _ in 0..<1000 { gate.answered(together: 3, at: Self.start + .seconds(1)) }
        expectEqual(gate.window, 3)
        let later = Self.start + HostConnectionLimit.firstTrialInterval
        gate.answered(together: 3, at: later)
        expectEqual(gate.window, 4)
        // One step at a time: the additional connection must be answered first.
        for _ in 0..<1000 { gate.answered(together: 3, at: later + .seconds(10_000)) }
        expectEqual(gate.window, 4)
        gate.answered(together: 4, at: later)
        expectEqual(gate.proven, 4)
    }

    @Test func `returns step by step to the proven number when no new transfer starts`() {
        var gate = HostConnectionLimit(window: 8)
        gate.answered(together: 3, at: Self.start)
        for turn in 1...2 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        expectEqual(gate.window, 1)
        let proven = gate.proven
        expectMore(proven, than: 1)
        var now = Self.start + .seconds(2)
        for window in 2...proven {
            expect(gate.isGrowing(upTo: 8))
            expectEqual(gate.growsAt, now + HostConnectionLimit.recovery)
            now = now + HostConnectionLimit.recovery
            gate.noteSilence(at: now)
            expectEqual(gate.window, window)
        }
        // Not beyond the proven number: there, time alone proves nothing.
        expect(!gate.isGrowing(upTo: 8))
    }

    @Test func `waits four times as long after a failed trial`() {
        var gate = HostConnectionLimit(window: 2)
        gate.answered(together: 1, at: Self.start)
        gate.refused(Self.id, beside: 1, begun: Self.start, at: Self.start)
        func tried(after span: Duration) -> Bool {
            var copy = gate
            for _ in 0..<100 { copy.answered(together: 1, at: Self.start + span) }
            return copy.window > 1
        }
        expect(!tried(after: HostConnectionLimit.firstTrialInterval - .seconds(1)))
        expect(tried(after: HostConnectionLimit.firstTrialInterval))
        var now = Self.start + HostConnectionLimit.firstTrialInterval
        for _ in 0..<100 { gate.answered(together: 1, at: now) }
        now = now + .seconds(1)
        gate.refused(Self.id, beside: 1, begun: now, at: now)
        expectEqual(gate.window, 1)
        expect(!tried(after: now - Self.start + HostConnectionLimit.firstTrialInterval * 4 - .seconds(1)))
        expect(tried(after: now - Self.start + HostConnectionLimit.firstTrialInterval * 4))
    }

    @Test func `keeps the proven number after a single refusal below it`() {
        var gate = HostConnectionLimit(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 4, begun: Self.start, at: Self.start)
        let later = Self.start + .seconds(1)
        gate.refused(Self.id, beside: 3, begun: later, at: later)
        expectEqual(gate.proven, 4)
        gate.refused(Self.id, beside: 3, begun: later + .seconds(1), at: later + .seconds(1))
        expectEqual(gate.proven, 3)
    }

    @Test func `pauses longer with each refusal that open connections do not explain, until it serves again`() {
        var (gate, now) = (HostConnectionLimit(window: 8), Self.start)
        gate.answered(together: 4, at: now)
        gate.served(TransferID(9), at: now)
        expect(gate.servesOthers(than: Self.id) && !gate.servesOthers(than: TransferID(9)))
        gate.refused(Self.id, beside: 4, begun: now, at: now)
        expectNil(gate.closedUntil)
        func pause() -> Duration? { gate.closedUntil.map { $0 - now } }
        for number in 0..<HostConnectionLimit.mostPausesInRow {
            now = now + .seconds(10)
            // Both were under way: the second says nothing new.
            for _ in 1...2 { gate.refused(Self.id, beside: 0, begun: now + .seconds(-1), at: now) }
            expectEqual(pause(), HostConnectionLimit.firstPause * (1 << number))
        }
        expect(!gate.servesOthers(than: Self.id))
        for _ in 1...20 { gate.served(TransferID(9), at: now) }
        expect(gate.servesOthers(than: Self.id))
        now = now + .seconds(10)
        gate.refused(Self.id, beside: 0, begun: now, at: now)
        expectEqual(pause(), HostConnectionLimit.firstPause)
    }

    @Test func `is restored when a URL proves to be always refused, unless other URLs were refused too`() {
        var gate = HostConnectionLimit(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        var both = gate
        both.refused(TransferID(2), beside: 1, begun: Self.start + .seconds(1), at: Self.start + .seconds(1))
        expect((gate.window, both.window) == (2, 1))
        gate.withdrawRefusal(of: Self.id)
        expect((gate.window, gate.hasRefused) == (8, false))
        both.withdrawRefusal(of: Self.id)
        expect((both.window, both.hasRefused) == (1, true))
        both.withdrawRefusal(of: TransferID(2))
        expect((both.window, both.hasRefused) == (8, false))
    }
}
