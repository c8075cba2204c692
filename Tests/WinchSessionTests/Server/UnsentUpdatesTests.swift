import FoundationEssentials
import Testing
import WinchModel

@testable import WinchSession

/// Random queues, and clients that take what they are sent now and then.
@Suite struct `A client that follows` {
    private struct Client {
        var follower: UnsentUpdates
        var mirror = QueueCopy()
        var assembler = UpdateAssembler(secondShift: 0)
        var lines = 0

        mutating func take(from server: QueueCopy, at now: Moment) throws {
            let message = follower.takeMessage(from: server, log: { [] }, at: now)
            let line = try JSONEncoder().encode(message)
            #expect(line.count < 1 << 20)
            let update = try assembler.update(JSONDecoder().decode(SessionUpdate.self, from: line))
            let isApplied = mirror.apply(update)
            #expect(isApplied)
            lines += 1
        }

        mutating func catchUp(with server: QueueCopy) throws {
            while follower.hasNews { try take(from: server, at: Moment(seconds: 1)) }
        }
    }

    private func expectSame(_ client: QueueCopy, _ server: QueueCopy) {
        #expect(client.order == server.order)
        #expect(client.totals == server.totals)
        #expect(client.count == server.count)
        for id in server.order { #expect(client.row(id) == server.row(id)) }
    }

    private static let seeds = (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `has the queue of the server after any number of lines`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var queue = RandomQueue(seed: seed)
        var client = Client(follower: UnsentUpdates(knowing: nil))
        for step in 0..<200 {
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
        var mirror = QueueCopy()
        let ids = (1...10_000).map { TransferID($0) }
        mirror.apply(
            Update(
                base: nil, number: 9,
                rows: Dictionary(
                    uniqueKeysWithValues: ids.map {
                        ($0, TransferSnapshot(id: $0, name: "f\($0.number)", host: "h", phase: .waiting(.slot)))
                    }), order: ids.reversed(), at: Moment(seconds: 1)))
        var client = Client(follower: UnsentUpdates(knowing: nil, visible: [TransferID(5), TransferID(77_777)]))
        try client.take(from: mirror, at: Moment(seconds: 1))
        #expect(client.mirror.order.count == UnsentUpdates.rowsInLine && client.mirror.order.contains(TransferID(5)))
        try client.catchUp(with: mirror)
        expectSame(client.mirror, mirror)
        #expect(client.lines == 10_000 / UnsentUpdates.rowsInLine + 1)
    }

    /// A line is held in memory as a whole while the client does not read.
    @Test func `gets rows with long names in more lines, none of them long`() throws {
        var mirror = QueueCopy()
        let ids = (1...2000).map { TransferID($0) }
        let name = String(repeating: "\u{1}", count: 255)
        mirror.apply(
            Update(
                base: nil, number: 9,
                rows: Dictionary(
                    uniqueKeysWithValues: ids.map {
                        let outcome = TransferPhase.Outcome.saved(path: name)
                        return ($0, TransferSnapshot(id: $0, name: name, host: "h", phase: .finished(outcome)))
                    }), order: ids.shuffled(), at: Moment(seconds: 1)))
        var follower = UnsentUpdates(knowing: nil)
        while follower.hasNews {
            let message = follower.takeMessage(from: mirror, log: { [] }, at: Moment(seconds: 1))
            #expect(try JSONEncoder().encode(message).count < 400_000)
        }
    }

    /// It reads nothing for so long that what is kept for it would grow without bound.
    @Test func `that reads nothing costs a bounded number of events, and gets the whole then`() throws {
        var mirror = QueueCopy()
        mirror.apply(
            Update(
                base: nil, number: 1,
                rows: [TransferID(1): TransferSnapshot(id: TransferID(1), name: "f", host: "h", phase: .moving)],
                order: [TransferID(1)], at: Moment(seconds: 1)))
        var client = Client(follower: UnsentUpdates(knowing: nil))
        try client.catchUp(with: mirror)
        var most = 0
        for number in 1...3_000 {
            let kind = FeedEvent.Kind.started(attempt: number)
            let update = Update(
                base: number, number: number + 1, totals: mirror.totals,
                events: [FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: kind)], at: Moment(seconds: 1))
            mirror.apply(update)
            client.follower.note(update)
            most = max(most, client.follower.pendingEvents)
        }
        #expect(most <= UnsentUpdates.mostEvents)
        try client.catchUp(with: mirror)
        #expect(client.mirror.number == 3_001)
        expectSame(client.mirror, mirror)
    }

    /// 20 updates a second of one transfer that moves may be 10 kB.
    @Test func `gets a transfer that moves in 500 bytes an update`() throws {
        var row = TransferSnapshot(
            id: TransferID(1), name: "debian-12.5.0-amd64-netinst.iso", host: "cdimage.debian.org", phase: .moving,
            size: .declared(ByteCount(bytes: 700_000_000)))
        var server = QueueCopy()
        var totals = QueueTotals()
        (totals.count, totals.active, totals.total, totals.startedAt) = (1, 1, 700_000_000, Moment(seconds: 1))
        server.apply(
            Update(base: nil, number: 1, rows: [row.id: row], order: [row.id], totals: totals, at: Moment(seconds: 1)))
        var client = Client(follower: UnsentUpdates(knowing: nil))
        try client.catchUp(with: server)
        for number in 1..<100 {
            let now = Moment(seconds: 1) + .milliseconds(50 * number + 1)
            row.have = ByteCount(bytes: 6_912_345 * Int64(number))
            row.rate = ByteRate(perSecond: 1_234_567.890123 * Double(number))
            row.finish = now + .milliseconds(123_456 + number)
            (totals.completed, totals.bytesDone, totals.fetched) = (row.have.bytes, row.have.bytes, row.have.bytes)
            (totals.fraction, totals.shares.unsettled) = (Double(row.have.bytes) / 7e8, row.have.bytes)
            (totals.rate, totals.meanRate, totals.finish) = (row.rate, row.rate, row.finish)
            var update = Update(base: number, number: number + 1, rows: [row.id: row], totals: totals, at: now)
            update.append(FeedEvent(id: row.id, at: now, kind: .moved, completed: 5, have: row.have))
            server.apply(update)
            client.follower.note(update)
            let message = client.follower.takeMessage(from: server, log: { [] }, at: now)
            let line = try JSONEncoder().encode(message)
            #expect(line.count <= 500, "\(String(decoding: line, as: UTF8.self))")
            let isApplied = try client.mirror.apply(client.assembler.update(message))
            #expect(isApplied)
        }
        expectSame(client.mirror, server)
    }

    @Test func `is refused a movement of a row that it does not have`() throws {
        var assembler = UpdateAssembler(secondShift: 0)
        let line = #"{"base":1,"number":2,"at":5,"motions":[{"id":7,"have":3}]}"#
        let message = try JSONDecoder().decode(SessionUpdate.self, from: Data(line.utf8))
        #expect(throws: SessionFailure.self) { _ = try assembler.update(message) }
    }

    @Test func `gets the details of its own transfer only`() throws {
        var mirror = QueueCopy()
        mirror.apply(Update(base: nil, number: 1, order: [], at: Moment(seconds: 1)))
        var client = Client(follower: UnsentUpdates(knowing: 1))
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
