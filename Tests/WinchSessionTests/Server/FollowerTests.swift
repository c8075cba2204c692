import FoundationEssentials
import Testing
import WinchModel

@testable import WinchSession

/// Random queues, and clients that take what they are sent now and then.
@Suite struct `A client that follows` {
    private struct Client {
        var follower: Follower
        var mirror = QueueMirror()
        var assembler = UpdateAssembler(secondShift: 0)
        var lines = 0

        mutating func take(from server: QueueMirror, at now: Moment) throws {
            let message = follower.takeMessage(from: server, log: { [] }, at: now)
            let line = try JSONEncoder().encode(message)
            #expect(line.count < 1 << 20)
            let update = try assembler.update(JSONDecoder().decode(SessionUpdate.self, from: line))
            let isApplied = mirror.apply(update)
            #expect(isApplied)
            lines += 1
        }

        mutating func catchUp(with server: QueueMirror) throws {
            while follower.hasNews { try take(from: server, at: Moment(seconds: 1)) }
        }
    }

    private func expectSame(_ client: QueueMirror, _ server: QueueMirror) {
        #expect(client.order == server.order)
        #expect(client.totals == server.totals)
        #expect(client.count == server.count)
        for id in server.order { #expect(client.row(id) == server.row(id)) }
    }

    @Test(arguments: 0..<40)
    func `has the queue of the server after any number of lines`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var queue = RandomQueue(seed: seed)
        var client = Client(follower: Follower(knowing: nil))
        for step in 0..<300 {
            if step == 100 { client.follower.note(queue.snapshot()) } else { client.follower.note(queue.next()) }
            if Int.random(in: 0..<4, using: &random) == 0, client.follower.hasNews {
                try client.take(from: queue.mirror, at: Moment(seconds: 1))
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                try client.catchUp(with: queue.mirror)
                expectSame(client.mirror, queue.mirror)
            }
        }
        try client.catchUp(with: queue.mirror)
        expectSame(client.mirror, queue.mirror)
    }

    /// 10,000 rows: many lines, those in view first.
    @Test func `gets the rows in view first`() throws {
        var mirror = QueueMirror()
        let ids = (1...10_000).map { TransferID($0) }
        mirror.apply(
            Update(
                base: nil, number: 9,
                rows: Dictionary(
                    uniqueKeysWithValues: ids.map {
                        ($0, TransferSnapshot(id: $0, name: "f\($0.number)", host: "h", phase: .waiting(.slot)))
                    }), order: ids.reversed(), at: Moment(seconds: 1)))
        var client = Client(follower: Follower(knowing: nil, visible: [TransferID(5), TransferID(77_777)]))
        try client.take(from: mirror, at: Moment(seconds: 1))
        #expect(client.mirror.order.count == Follower.rowsInLine && client.mirror.order.contains(TransferID(5)))
        try client.catchUp(with: mirror)
        expectSame(client.mirror, mirror)
        #expect(client.lines == 10_000 / Follower.rowsInLine + 1)
    }

    /// It reads nothing for so long that what is kept for it would grow without bound.
    @Test func `that reads nothing costs a bounded number of events, and gets the whole then`() throws {
        var mirror = QueueMirror()
        mirror.apply(
            Update(
                base: nil, number: 1,
                rows: [TransferID(1): TransferSnapshot(id: TransferID(1), name: "f", host: "h", phase: .moving)],
                order: [TransferID(1)], at: Moment(seconds: 1)))
        var client = Client(follower: Follower(knowing: nil))
        try client.catchUp(with: mirror)
        var most = 0
        for number in 1...20_000 {
            let kind = FeedEvent.Kind.started(attempt: number)
            let update = Update(
                base: number, number: number + 1, totals: mirror.totals,
                events: [FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: kind)], at: Moment(seconds: 1))
            mirror.apply(update)
            client.follower.note(update)
            most = max(most, client.follower.pendingEvents)
        }
        #expect(most <= Follower.mostEvents)
        try client.catchUp(with: mirror)
        #expect(client.mirror.number == 20_001)
        expectSame(client.mirror, mirror)
    }

    @Test func `gets the details of its own transfer only`() throws {
        var mirror = QueueMirror()
        mirror.apply(Update(base: nil, number: 1, order: [], at: Moment(seconds: 1)))
        var client = Client(follower: Follower(knowing: 1))
        client.follower.watched = TransferID(2)
        var update = Update(base: 1, number: 2, at: Moment(seconds: 1))
        update.details = [1, 2].map {
            TransferDetails(id: TransferID($0), urls: ["http://h/\($0)"], folder: "d", path: "p", size: .exact(.zero))
        }
        mirror.apply(update)
        client.follower.note(update)
        client.mirror.apply(Update(base: nil, number: 1, at: Moment(seconds: 1)))
        try client.catchUp(with: mirror)
        #expect(client.mirror.details?.urls == ["http://h/2"])
    }
}
