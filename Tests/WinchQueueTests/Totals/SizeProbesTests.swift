import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Size probes` {
    private let now = Moment(seconds: 1)

    /// As many waiting transfers as given; their ranks equal their numbers.
    private func probes(_ count: Int) -> SizeProbes {
        var probes = SizeProbes()
        for number in 1...count {
            let id = TransferID(number)
            let transfer = TransferState(
                id: id, spec: .sample(), resume: nil, estimate: .zero, isPaused: false)
            probes.count(transfer.summary, sign: 1)
            probes.enqueue(WaitingLine.Place(rank: number, id: id))
        }
        return probes
    }

    private func take(_ probes: inout SizeProbes, mayAsk: (Int) -> Bool = { _ in true }) -> [Int] {
        probes.take(at: now, isCurrent: { _ in true }, mayAsk: { id, _ in mayAsk(id.number) }).map(\.number)
    }

    @Test func `are sent in order, up to four at a time`() {
        var probes = probes(9)
        let first = [take(&probes), take(&probes)]
        #expect(first == [[1, 2, 3, 4], []])
        let isExpected = probes.answer(TransferID(2))
        let next = take(&probes)
        #expect(isExpected && next == [5])
    }

    @Test func `wait until the transfers have had time to start`() {
        var probes = probes(2)
        probes.beginGrace(at: now, wasIdle: true)
        let early = take(&probes)
        #expect(early == [])
        #expect(probes.nextDue(after: now) == now + SizeProbes.grace)
        probes.beginGrace(at: now + .seconds(1), wasIdle: false)
        #expect(probes.nextDue(after: now) == now + SizeProbes.grace)
    }

    @Test func `skip hosts without a free connection and return to them later`() {
        var probes = probes(6)
        let asked = [take(&probes, mayAsk: { $0 > 3 }), take(&probes)]
        #expect(asked == [[4, 5, 6], [1]])
    }

    @Test func `are dropped for transfers whose place in the queue has changed`() {
        var probes = probes(3)
        let taken = probes.take(at: now, isCurrent: { $0.id.number != 2 }, mayAsk: { _, _ in true })
        #expect(taken.map(\.number) == [1, 3])
    }

    @Test func `are counted for the header until all are answered`() {
        var probes = probes(6)
        #expect(probes.progress == nil)
        _ = take(&probes)
        let answers = [probes.answer(TransferID(1)), probes.answer(TransferID(1))]
        #expect(answers == [true, false] && probes.progress?.answered == 1)
        let stopped = probes.stop()
        #expect(stopped.map(\.number) == [2, 3, 4])
        #expect(probes.progress == nil)
    }
}
