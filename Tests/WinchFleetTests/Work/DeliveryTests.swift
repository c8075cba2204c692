import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `A delivered entry` {
    @Test(arguments: [
        "$JS.ACK.winch-x-queue.workers.2.17.5.1669999999999.30",
        "$JS.ACK.domain.hash.winch-x-queue.workers.2.17.5.1669999999999.30",
        "$JS.ACK.domain.hash.winch-x-queue.workers.2.17.5.1669999999999.30.token",
    ])
    func `has its place in the queue in its reply`(reply: String) throws {
        let place = try require(Delivery.place(reply))
        expectEqual(place.sequence, 17)
        expectEqual(place.count, 2)
        expectEqual(place.pending, 30)
    }

    @Test(arguments: [
        "", "x", "_INBOX.a.b", "$JS.ACK.a.b.c", "$JS.ACK.s.c.two.17.5.1.0", "$JS.FC.s.c.2.17.5.1.0",
        "$JS.ACK.winch-x-queue.workers.2.17.5.1669999999999.30.more",
    ])
    func `has none in another reply`(reply: String) {
        expectNil(Delivery.place(reply))
    }
}
