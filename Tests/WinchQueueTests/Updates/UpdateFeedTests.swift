import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// The feed of a queue, with subscribers that take at different speeds. The test has the part of the engine.
@Suite struct `The subscribers of a feed` {
    private static let origin = UnixTime(milliseconds: 1_700_000_000_000)

    /// A queue with its feed, which posts after each call as the engine does.
    private struct Run {
        var queue = TransferQueue(settings: QueueSettings())
        let feed = UpdateFeed()
        let now = Moment(seconds: 1000)

        init(transfers: Int) {
            if transfers > 0 { add(transfers) }
        }

        mutating func add(_ count: Int) {
            apply(.added((0..<count).map { _ in Addition(spec: .sample()) }))
        }

        mutating func apply(_ events: QueueEvent...) {
            for event in events { _ = queue.apply(event, at: now) }
            if let update = queue.takeUpdate(at: now) { feed.post(update) }
        }
    }

    private final class Calls: Sendable {
        let count = Atomic(0)
    }

    /// A subscriber with its copy of the queue.
    private final class Reader {
        let feed: UpdateFeed
        let buffer: UpdateBuffer
        /// How often it takes, in percent of the steps.
        let percent: Int
        var board = QueueCopy()
        /// Updates that did not continue its copy.
        var gaps = 0

        init(_ feed: UpdateFeed, percent: Int, knowing number: Int? = 0) {
            self.feed = feed
            self.percent = percent
            buffer = UpdateBuffer(wake: {})
            feed.subscribe(buffer, knowing: number)
        }

        func take() {
            guard let update = buffer.take() else { return }
            if !board.apply(update) { gaps += 1 }
        }
    }

    @Test(arguments: 0..<Streams.blocks)
    func `have the queue's own state, whatever happens and however fast they take`(block: UInt64) {
        for seed in Streams.seeds(block, share: 20) {
            if let broken = play(seed: seed) {
                Issue.record("seed \(seed): \(broken)")
                return
            }
        }
    }

    private func play(seed: UInt64) -> String? {
        var events = RandomEvents(seed: seed)
        var queue = TransferQueue(settings: events.settings())
        var now = Moment(seconds: 1000)
        let feed = UpdateFeed()
        var readers = [100, 30, 3].map { Reader(feed, percent: $0) }
        func serve() { if feed.awaitsSnapshot { feed.post(queue.snapshot(at: now, origin: Self.origin)) } }
        for _ in 0..<events.length() {
            now = now + events.span()
            _ = queue.apply(events.event(for: queue, at: now), at: now)
            if let update = queue.takeUpdate(at: now) { feed.post(update) }
            serve()
            for reader in readers where events.chance(reader.percent) { reader.take() }
            // One that joins, one that comes back to the state that it has, and one with a number that never was.
            if events.chance(10) { readers.append(Reader(feed, percent: 50, knowing: nil)) }
            if events.chance(10) {
                feed.unsubscribe(readers[1].buffer)
                readers[1].take()
                feed.subscribe(readers[1].buffer, knowing: readers[1].board.number)
            }
            if events.chance(10) { feed.subscribe(readers[2].buffer, knowing: .max) }
        }
        serve()
        for reader in readers { reader.take() }
        for (index, reader) in readers.enumerated() {
            if reader.gaps > 0 { return "reader \(index): \(reader.gaps) gaps" }
            if let wrong = compare(reader.board, with: queue, at: now) { return "reader \(index): \(wrong)" }
        }
        return nil
    }

    private func compare(_ board: QueueCopy, with queue: TransferQueue, at now: Moment) -> String? {
        if board.number != queue.feed.number { return "number \(board.number), is \(queue.feed.number)" }
        if board.order != queue.order || board.count != queue.order.count { return "order" }
        for id in queue.order {
            let row = queue.row(id, at: now)
            var shown: TransferSnapshot?
            board.visit { candidate, _ in if candidate.id == id { shown = candidate } }
            if let shown, let row, let wrong = Self.difference(shown.timeless, row.timeless) { return wrong }
        }
        return Self.difference(board.totals.timeless, queue.totals(at: now).timeless)
    }

    /// The fields that differ; `nil` when none does.
    private static func difference<Value: Hashable>(_ copy: Value, _ original: Value) -> String? {
        guard copy != original else { return nil }
        let fields = zip(Mirror(reflecting: copy).children, Mirror(reflecting: original).children).filter {
            "\($0.0.value)" != "\($0.1.value)"
        }
        return fields.map { "\($0.0.label ?? ""): \($0.0.value), is \($0.1.value)" }.joined(separator: "; ")
    }

    @Test func `cost bounded memory when they never take`() throws {
        var run = Run(transfers: 0)
        let feed = run.feed
        let never = UpdateBuffer(wake: {})
        feed.subscribe(never)
        run.add(50)
        for _ in 1...200 { run.apply(.command(.pauseAll), .command(.resumeAll)) }
        let update = try require(never.take())
        expectEqual(update.rows.count, 50)
        expectAtMost(update.events.count, [FeedEvent].room(for: 50) + 50)
        expectAtMost(update.seconds.count, RateGraphSpan.seconds)
    }

    @Test func `keep no transfer twice that is removed and restored again and again`() {
        let id = TransferID(1)
        var update = Update(at: Moment(seconds: 1))
        for _ in 0..<3_000 {
            var next = Update(removed: [id], at: Moment(seconds: 1))
            next.addedAgain = [Update.AddedAgain(id: id, isStartedAnew: true)]
            update.merge(next)
        }
        expect(update.removed.count <= 1025 && update.addedAgain.count <= 1025)
        expect(update.removed.contains(id))
    }

    @Test(arguments: [true, false])
    func `that join after the end are told so, and get the last state`(isKnown: Bool) {
        let run = Run(transfers: 1)
        run.feed.end()
        let wakes = Calls()
        let buffer = UpdateBuffer(wake: { wakes.count.add(1, ordering: .relaxed) })
        run.feed.subscribe(buffer, knowing: isKnown ? run.queue.feed.number : nil)
        expectEqual(wakes.count.load(ordering: .relaxed), 1)
        expectEqual(run.feed.awaitsSnapshot, !isKnown)
        run.feed.post(run.queue.snapshot(at: run.now, origin: Self.origin))
        expectEqual(buffer.take()?.rows.count, isKnown ? nil : 1)
    }

    @Test func `that join late find the log of what was before, the rates and the settings`() throws {
        var run = Run(transfers: 1)
        run.queue.feed.append(RateHistory.Second(number: 7, rate: ByteRate(perSecond: 5)))
        run.apply(.command(.pauseAll), .command(.setSlots(3)))
        let snapshot = run.queue.snapshot(at: run.now, origin: Self.origin, log: run.feed.latestLog)
        expect(snapshot.log.map(\.message).contains("started"))
        expectEqual(snapshot.seconds.map(\.number), [7])
        expect(snapshot.settings.slots == 3 && snapshot.origin == Self.origin)
        let board = QueueCopy(snapshot)
        expect(board.number == 2 && board.history[7] == ByteRate(perSecond: 5))
    }
}

extension TransferSnapshot {
    /// Without what changes by itself as time goes by: a copy has it as of the last change.
    fileprivate var timeless: TransferSnapshot {
        var row = self
        (row.rate, row.stalledSince, row.finish, row.isAtRateLimit) = (nil, nil, nil, false)
        return row
    }
}

extension QueueTotals {
    fileprivate var timeless: QueueTotals {
        var totals = self
        (totals.rate, totals.finish, totals.meanRate, totals.stalled) = (nil, nil, nil, 0)
        return totals
    }
}
