import FoundationEssentials
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

/// Random queues, and clients that take what they are sent now and then.
@Suite struct `A client that follows` {
    private struct Client {
        var follower: UnsentUpdates
        var copy = QueueCopy()
        var assembler = UpdateAssembler(secondShift: 0)
        var lines = 0

        mutating func take(from server: QueueCopy, at now: Moment) throws {
            let message = follower.takeMessage(from: server, log: { [] }, at: now)
            let line = try JSONEncoder().encode(message)
            expectLess(line.count, than: 1 << 20)
            let update = try assembler.update(JSONDecoder().decode(SessionUpdate.self, from: line))
            let isApplied = copy.apply(update)
            expect(isApplied)
            lines += 1
        }

        mutating func catchUp(with server: QueueCopy) throws {
            while follower.hasNews { try take(from: server, at: Moment(seconds: 1)) }
        }
    }

    private func expectSame(_ client: QueueCopy, _ server: QueueCopy) {
        expectEqual(client.order, server.order)
        expectEqual(client.totals, server.totals)
        expectEqual(client.count, server.count)
        for id in server.order { expectEqual(client.row(id), server.row(id)) }
    }

    private static let seeds = (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds, [true, false])
    func `has the queue of the server after any number of lines`(seed: UInt64, takesAppended: Bool) throws {
        var random = SplitMix64(seed: seed)
        var queue = RandomQueue(seed: seed)
        var client = Client(follower: UnsentUpdates(takesAppended: takesAppended))
        for step in 0..<200 {
            if step == 100 { client.follower.note(queue.snapshot()) } else { client.follower.note(queue.next()) }
            if Int.random(in: 0..<4, using: &random) == 0, client.follower.hasNews {
                try client.take(from: queue.copy, at: Moment(seconds: 1))
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                try client.catchUp(with: queue.copy)
                expectSame(client.copy, queue.copy)
            }
        }
        try client.catchUp(with: queue.copy)
        expectSame(client.copy, queue.copy)
    }

    /// 10,000 rows: many lines, those in view first.
    @Test func `gets the rows in view first`() throws {
        let rows = (1...10_000).map {
            TransferSnapshot(id: TransferID($0), name: "f\($0)", host: "h", phase: .waiting(.slot))
        }
        let copy = Self.whole(rows, order: rows.map(\.id).reversed())
        var client = Client(follower: UnsentUpdates(visible: [TransferID(5), TransferID(77_777)]))
        try client.take(from: copy, at: Moment(seconds: 1))
        expect(client.copy.order.count == UnsentUpdates.firstRows && client.copy.order.contains(TransferID(5)))
        try client.catchUp(with: copy)
        expectSame(client.copy, copy)
        // The first rows, the others, and the order of all.
        expectEqual(client.lines, 1 + 10_000 / UnsentUpdates.rowsInLine + 1)
    }

    /// 1,000 rows, of which the first ones are settled: over a slow line the others take their time.
    @Test(arguments: [(0, 1), (47, 1), (48, 33), (600, 585), (990, 937), (1000, 1)])
    func `gets the first unsettled row in its first line, with some above it`(settled: Int, first: Int) throws {
        let rows = (1...1000).map { number in
            TransferSnapshot(
                id: TransferID(number), name: "f\(number)", host: "h",
                phase: number <= settled ? .finished(.saved(path: "f")) : .waiting(.slot))
        }
        let copy = Self.whole(rows)
        var client = Client(follower: UnsentUpdates())
        try client.take(from: copy, at: Moment(seconds: 1))
        expectEqual(client.copy.order, (first..<first + UnsentUpdates.firstRows).map { TransferID($0) })
        try client.catchUp(with: copy)
        expectSame(client.copy, copy)
    }

    /// An attach over a slow line to a session with 10,000 rows, a full log and a full graph.
    @Test func `gets a screen full of rows in its first 32 KiB, and the log and the graph after the rows`() throws {
        let url = try TransferURL("http://download.example.org/releases/2026/disk-image-000001.iso")
        let rows = (1...10_000).map { number in
            TransferSnapshot(
                id: TransferID(number), name: "disk-image-\(number).iso", host: "download.example.org",
                urls: MirrorList([url]), folder: "/srv/mirror/releases", phase: .waiting(.slot))
        }
        var whole = Update(
            base: nil, number: 1, rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }),
            order: rows.map(\.id), at: Moment(seconds: 1))
        whole.seconds = (1...100).map { RateHistory.Second(number: $0, rate: ByteRate(perSecond: 1234)) }
        var copy = QueueCopy()
        copy.apply(whole)
        let log = (0..<1000).map { number in
            LogEntry(
                at: Moment(seconds: 1), id: TransferID(number),
                subject: .event(.added(url: url.text, name: "f"), have: .zero, size: nil))
        }
        var follower = UnsentUpdates()
        let first = follower.takeMessage(from: copy, log: { log }, at: Moment(seconds: 2))
        try expectAtMost(JSONEncoder().encode(first).count, 32 << 10)
        expect(first.rows?.count ?? 0 >= 50 && first.log == nil)
        var (count, logged, drawn) = (first.rows?.count ?? 0, [LogEntry](), 0)
        while follower.hasNews {
            expect(follower.isWithinState, "all of it follows at once")
            let message = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 2))
            count += message.rows?.count ?? 0
            if message.log != nil { expectEqual(count, 10_000) }
            logged += message.log ?? []
            drawn += message.seconds?.count ?? 0
        }
        expect(count == 10_000 && drawn == copy.history.seconds.count)
        // The latest entries that are in a line together.
        expect(logged.count > 300 && logged == log.suffix(logged.count))
    }

    /// A line is held in memory as a whole while the client does not read.
    @Test func `gets rows with long names in more lines, none of them long`() throws {
        let name = String(repeating: "\u{1}", count: 255)
        let rows = (1...2000).map {
            TransferSnapshot(id: TransferID($0), name: name, host: "h", phase: .finished(.saved(path: name)))
        }
        let copy = Self.whole(rows, order: rows.map(\.id).shuffled())
        var follower = UnsentUpdates()
        while follower.hasNews {
            let message = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 1))
            try expectLess(JSONEncoder().encode(message).count, than: 400_000)
        }
    }

    /// It reads nothing for so long that what is kept for it would grow without bound.
    @Test func `that reads nothing costs a bounded number of events, and gets the state then`() throws {
        var copy = Self.whole([TransferSnapshot(id: TransferID(1), name: "f", host: "h", phase: .moving)])
        var client = Client(follower: UnsentUpdates())
        try client.catchUp(with: copy)
        var most = 0
        for number in 1...3_000 {
            let kind = FeedEvent.Kind.started(attempt: number)
            let update = Update(
                base: number, number: number + 1, totals: copy.totals,
                events: [FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: kind)], at: Moment(seconds: 1))
            copy.apply(update)
            client.follower.note(update)
            most = max(most, client.follower.events.count)
        }
        expectAtMost(most, UnsentUpdates.mostEvents)
        try client.catchUp(with: copy)
        expectEqual(client.copy.number, 3_001)
        expectSame(client.copy, copy)
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
        var client = Client(follower: UnsentUpdates())
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
            expectAtMost(line.count, 500, "\(String(decoding: line, as: UTF8.self))")
            let isApplied = try client.copy.apply(client.assembler.update(message))
            expect(isApplied)
        }
        expectSame(client.copy, server)
    }

    private static func whole(_ count: Int) -> QueueCopy {
        whole((1...count).map { TransferSnapshot(id: TransferID($0), name: "f", host: "h", phase: .waiting(.slot)) })
    }

    /// - Parameter order: `nil`: that of the rows.
    private static func whole(_ rows: [TransferSnapshot], order: [TransferID]? = nil) -> QueueCopy {
        var copy = QueueCopy()
        copy.apply(
            Update(
                base: nil, number: 1, rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }),
                order: order ?? rows.map(\.id), at: Moment(seconds: 1)))
        return copy
    }

    /// Presigned URLs have 1,500 bytes, and the log has 1,000 entries with one each.
    @Test func `gets long URLs in lines that are not long, and the latest entries of the log`() throws {
        let url = "http://h/" + String(repeating: "s", count: 5000)
        let copy = Self.whole(1)
        let now = Moment(seconds: 1)
        let log = (0..<1000).map { number in
            LogEntry(
                at: now, id: TransferID(number),
                subject: .event(.added(url: url, name: "f"), have: .zero, size: nil))
        }
        var follower = UnsentUpdates()
        let first = follower.takeMessage(from: copy, log: { log }, at: now)
        try expectLess(JSONEncoder().encode(first).count, than: 400_000)
        let second = follower.takeMessage(from: copy, log: { [] }, at: now)
        try expectLess(JSONEncoder().encode(second).count, than: 400_000)
        expectEqual(second.log?.last, log.last)
        for number in 0..<200 {
            var update = Update(base: 1, number: 1, totals: copy.totals, at: now)
            update.append(FeedEvent(id: TransferID(number), at: now, kind: .added(url: url, name: "f")))
            follower.note(update)
        }
        var events = 0
        while follower.hasNews {
            let message = follower.takeMessage(from: copy, log: { [] }, at: now)
            try expectLess(JSONEncoder().encode(message).count, than: 400_000)
            events += message.events?.count ?? 0
            expectEqual(follower.isWithinState, follower.hasNews, "the rest follows at once")
        }
        expectEqual(events, 200)
    }

    @Test func `has a row that was removed and came back before its first line`() throws {
        var copy = Self.whole(2000)
        var client = Client(follower: UnsentUpdates())
        try client.take(from: copy, at: Moment(seconds: 1))
        let last = try require(copy.row(TransferID(2000)))
        let order = copy.order
        var removal = Update(base: 1, number: 2, removed: [last.id], totals: copy.totals, at: Moment(seconds: 1))
        removal.order = .whole(order.dropLast())
        var undo = Update(base: 2, number: 3, rows: [last.id: last], totals: copy.totals, at: Moment(seconds: 1))
        undo.order = .whole(order)
        for update in [removal, undo] {
            copy.apply(update)
            client.follower.note(update)
        }
        try client.catchUp(with: copy)
        expectSame(client.copy, copy)
    }

    /// 5,000 small files: while a line is read, more events come than are kept.
    @Test(arguments: [true, false])
    func `gets a long list that moves once`(isOnce: Bool) throws {
        var copy = Self.whole(5000)
        var client = Client(follower: UnsentUpdates(isOnce: isOnce))
        let now = Moment(seconds: 1)
        let events = (0...UnsentUpdates.mostEvents).map { number in
            FeedEvent(id: TransferID(1), at: now, kind: .started(attempt: number))
        }
        for number in 1...12 {
            try client.take(from: copy, at: now)
            var row = try require(copy.row(TransferID(400 * number)))
            row.phase = .paused
            let update = Update(
                base: copy.number, number: copy.number + 1, rows: [row.id: row], totals: copy.totals, events: events,
                at: now)
            copy.apply(update)
            client.follower.note(update)
        }
        expect(client.follower.isWhole)
        expectEqual(client.follower.events.isEmpty, isOnce)
        try client.catchUp(with: copy)
        expectSame(client.copy, copy)
        expectAtMost(client.lines, 20)
    }

    @Test func `is sent any number of removals, and what came back after its removal`() throws {
        var copy = Self.whole(UnsentUpdates.removedInLine + 2000)
        var client = Client(follower: UnsentUpdates())
        try client.catchUp(with: copy)
        let lines = client.lines
        let back = try require(copy.row(TransferID(UnsentUpdates.removedInLine + 1000)))
        var removal = Update(base: 1, number: 2, removed: copy.order, totals: copy.totals, at: Moment(seconds: 1))
        removal.order = .whole([])
        var undo = Update(base: 2, number: 3, rows: [back.id: back], totals: copy.totals, at: Moment(seconds: 1))
        undo.order = .whole([back.id])
        for update in [removal, undo] {
            copy.apply(update)
            client.follower.note(update)
        }
        try client.catchUp(with: copy)
        expectSame(client.copy, copy)
        expectEqual(client.lines, lines + 2)
    }

    @Test(arguments: [true, false])
    func `is sent the whole order for an addition only if it takes no less`(takesAppended: Bool) {
        var follower = UnsentUpdates(takesAppended: takesAppended)
        var copy = Self.whole(3)
        _ = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 1))
        for number in 2...3 {
            var update = Update(base: number - 1, number: number, totals: copy.totals, at: Moment(seconds: 1))
            update.order = .appended([TransferID(number + 2)])
            copy.apply(update)
            follower.note(update)
        }
        let message = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 1))
        expectEqual(message.appended, takesAppended ? [[4, 5]] : nil)
        expectEqual(message.order, takesAppended ? nil : [[1, 5]])
        expect(!follower.hasNews)
    }

    @Test func `need not wait for what its limit does`() {
        var follower = UnsentUpdates()
        let copy = Self.whole(1)
        _ = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 1))
        var totals = copy.totals
        follower.note(Update(base: 1, number: 2, totals: totals, at: Moment(seconds: 1)))
        _ = follower.takeMessage(from: copy, log: { [] }, at: Moment(seconds: 1))
        totals.rateLimit = ByteRate(perSecond: 5)
        follower.note(Update(base: 2, number: 3, totals: totals, at: Moment(seconds: 1)))
        expect(follower.isNotable)
    }

    @Test func `is refused a movement of a row that it does not have`() throws {
        var assembler = UpdateAssembler(secondShift: 0)
        let line = #"{"base":1,"number":2,"at":5,"motions":[{"id":7,"have":3}]}"#
        let message = try JSONDecoder().decode(SessionUpdate.self, from: Data(line.utf8))
        #expect(throws: SessionFailure.self) { _ = try assembler.update(message) }
    }

    @Test func `gets the details of its own transfer only`() throws {
        var copy = QueueCopy()
        copy.apply(Update(base: nil, number: 1, order: [], at: Moment(seconds: 1)))
        var client = Client(follower: UnsentUpdates())
        client.follower.watched = TransferID(2)
        try client.catchUp(with: copy)
        var update = Update(base: 1, number: 2, at: Moment(seconds: 1))
        update.details = [1, 2].map {
            TransferDetails(id: TransferID($0), urls: ["http://h/\($0)"], folder: "d", path: "p", size: .exact(.zero))
        }
        copy.apply(update)
        client.follower.note(update)
        try client.catchUp(with: copy)
        expectEqual(client.copy.details?.urls, ["http://h/2"])
    }
}
