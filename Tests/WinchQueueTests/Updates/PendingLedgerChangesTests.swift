import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The ledger's writer` {
    private let now = Moment(seconds: 5)

    private func writer() -> PendingLedgerChanges { PendingLedgerChanges(nextKey: LedgerKey(1), calendar: .sample) }

    private func summary(_ change: (inout TransferState) -> Void = { _ in }) -> TransferState.Summary {
        var transfer = TransferState(
            id: TransferID(1), spec: .sample(), resume: nil, estimate: .zero, isPaused: false)
        transfer.phase = .active
        change(&transfer)
        return transfer.summary
    }

    @Test func `never reuses a key`() {
        var writer = writer()
        let keys = [writer.takeKey(), writer.takeKey()]
        #expect(keys == [LedgerKey(1), LedgerKey(2)])
    }

    @Test func `writes a change of state at once, and bytes once a second`() {
        var writer = writer()
        let (one, two) = (TransferID(1), TransferID(2))
        writer.note(one, at: now, .paused, from: summary(), to: summary { $0.phase = .paused })
        writer.note(two, at: now, .moved, from: summary(), to: summary { $0.have = ByteCount(5) })
        let first = writer.take(at: now, .sample, isLast: false)
        #expect(first?.whole == [one] && first?.moved == [])
        let early = writer.take(at: now + .milliseconds(900), .sample, isLast: false)
        #expect(early == nil)
        let second = writer.take(at: now + .seconds(1), .sample, isLast: false)
        #expect(second?.moved == [two] && second?.whole == [])
    }

    @Test func `writes all pending changes at the end`() {
        var writer = writer()
        writer.noteSoon(TransferID(1), at: now)
        let due = writer.take(at: now, .sample, isLast: true)
        #expect(due?.whole == [TransferID(1)])
        let again = writer.take(at: now, .sample, isLast: true)
        #expect(again == nil)
    }

    @Test func `writes only the removal of a removed transfer, and nothing if it is restored at once`() {
        var writer = writer()
        let id = TransferID(1)
        writer.noteNow(id)
        writer.forget(id, LedgerKey(7))
        let gone = writer.take(at: now, .sample, isLast: false)
        #expect(gone?.removed == [LedgerKey(7)] && gone?.whole == [])
        writer.noteRestored(id)
        writer.forget(id, LedgerKey(7))
        let none = writer.take(at: now + .seconds(9), .sample, isLast: true)
        #expect(none == nil)
    }
}
