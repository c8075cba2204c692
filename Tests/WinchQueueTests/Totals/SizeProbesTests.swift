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
            probes.enqueue(Schedule.Place(rank: number, id: id))
        }
        return probes
    }

    private func take(_ probes: inout SizeProbes, mayAsk: (Int) -> Bool = { _ in true }) -> [Int] {
        probes.take(at: now, isCurrent: { _ in true }, mayAsk: { id, _ in mayAsk(id.number) }).map(\.number)
    }

    @Test func `skip hosts without a free connection and return to them later`() {
        var probes = probes(6)
        let asked = [take(&probes, mayAsk: { $0 > 3 }), take(&probes)]
        expectEqual(asked, [[4, 5, 6], [1]])
    }

    @Test func `are dropped for transfers whose place in the queue has changed`() {
        var probes = probes(3)
        let taken = probes.take(at: now, isCurrent: { $0.id.number != 2 }, mayAsk: { _, _ in true })
        expectEqual(taken.map(\.number), [1, 3])
    }
}
