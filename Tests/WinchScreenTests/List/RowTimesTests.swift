import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The times of rows` {
    private static func update(_ events: (seconds: Double, id: Int, kind: FeedEvent.Kind)...) -> Update {
        Update(
            events: events.map { FeedEvent(id: TransferID($0.id), at: .at($0.seconds), kind: $0.kind) }, at: .at(0))
    }

    @Test func `are those of each row of a long list`() {
        var times = RowTimes()
        for id in 1...1000 { times.take(Self.update((0, id, .added(url: "", name: "")))) }
        times.take(Self.update((2, 127, .started(attempt: 1)), (3, 128, .started(attempt: 1))))
        times.take(Self.update((5, 128, .failed(.httpStatus(404))), (6, 300, .cancelled)))
        #expect((1...1000).allSatisfy { times.added(TransferID($0)) != nil })
        #expect(times.elapsed(TransferID(127), at: .at(9)) == .seconds(7))
        #expect(times.elapsed(TransferID(128), at: .at(9)) == .seconds(2))
        for id in [1, 126, 129, 300, 999] { #expect(times.elapsed(TransferID(id), at: .at(9)) == nil) }
        for id in [0, 1001, -1] { #expect(times.added(TransferID(id)) == nil) }
    }
}
