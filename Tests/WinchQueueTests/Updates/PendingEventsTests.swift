import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Events that no front end reads` {
    private static func event(_ number: Int?, _ kind: FeedEvent.Kind, _ completed: Int64 = 0) -> FeedEvent {
        FeedEvent(
            id: number.map { TransferID($0) }, at: Moment(seconds: 1), kind: kind, completed: completed, total: 0,
            have: ByteCount(completed))
    }

    /// 64 transfers in turn, as measured with JSON output into a pipe that is not read.
    @Test func `are merged while bytes arrive, with equal sums`() throws {
        let box = UpdateBuffer(wake: {})
        var totals = QueueTotals()
        totals.count = 64
        let started = (1...64).map { Self.event($0, .started(attempt: 1)) }
        box.post(Update(totals: totals, events: started, at: Moment(seconds: 1)))
        for _ in 0..<200 {
            let moved = (1...64).map { Self.event($0, .moved, 10) }
            box.post(Update(totals: totals, events: moved, at: Moment(seconds: 1)))
        }
        box.post(Update(totals: totals, events: [Self.event(7, .failed(.httpStatus(404)))], at: Moment(seconds: 1)))
        let events = try require(box.take()).events
        expectAtMost(events.count, [FeedEvent].room(for: 64) + 65)
        expectEqual(events.reduce(0) { $0 + $1.completed }, 128_000)
        expectEqual(Array(events.prefix(64)), started)
        expectEqual(events.last?.kind, .failed(.httpStatus(404)))
    }

    @Test func `are bounded for a transfer that is retried repeatedly`() throws {
        let box = UpdateBuffer(wake: {})
        var totals = QueueTotals()
        totals.count = 1
        for attempt in 1...1_000 {
            let events = [
                Self.event(1, .started(attempt: attempt)), Self.event(1, .headers(status: 200)),
                Self.event(1, .moved, 10), Self.event(1, .retrying(in: .zero, failure: .httpStatus(503))),
            ]
            box.post(Update(totals: totals, events: events, at: Moment(seconds: 1)))
        }
        let events = try require(box.take()).events
        expectAtMost(events.count, [FeedEvent].room(for: 1) + 4)
        expectEqual(events.reduce(0) { $0 + $1.completed }, 10_000)
    }

    /// Sums match a state that the queue had; every addition, removal and end is included.
    @Test(arguments: 0..<Streams.blocks)
    func `keep sums, ends and order for any events`(block: UInt64) {
        for seed in Streams.seeds(block, share: 10) {
            var events = RandomEvents(seed: seed)
            var queue = TransferQueue(settings: events.settings())
            var now = Moment(seconds: 1000)
            var all: [FeedEvent] = []
            for _ in 0..<events.length() {
                now = now + events.span()
                _ = queue.apply(events.event(for: queue, at: now), at: now)
                all += queue.feed.events
                queue.feed.clear()
            }
            for room in [0, all.count / 2, .max] {
                var kept = all
                kept.makeRoom(room)
                // With little room, events are merged across changes of the estimates.
                if let broken = compare(kept, with: all, onTheWay: room == .max) {
                    Issue.record("seed \(seed), room \(room): \(broken)")
                    return
                }
            }
        }
    }

    private func compare(_ kept: [FeedEvent], with all: [FeedEvent], onTheWay: Bool) -> String? {
        let ends = { (events: [FeedEvent]) in
            events.filter { event in
                switch event.kind {
                case .added, .reopened, .finished, .failed, .cancelled, .removed, .restored, .queueFinished: true
                default: false
                }
            }
        }
        if ends(kept) != ends(all) { return "ends" }
        for direction in Direction.allCases {
            let sums = { (events: [FeedEvent]) in
                events.filter { $0.direction == direction }.reduce(into: [(Int128(0), Int128(0))]) { sums, event in
                    let last = sums[sums.count - 1]
                    sums.append((last.0 + Int128(event.completed), last.1 + Int128(event.total)))
                }
            }
            let (few, many) = (sums(kept), sums(all))
            if few[few.count - 1] != many[many.count - 1] { return "sums of \(direction)" }
            guard onTheWay else { continue }
            // Sums at the largest representable number give no intermediate values.
            if many.contains(where: { $0.1 > Int128(Int64.max / 2) }) { continue }
            if let wrong = few.first(where: { $0.0 < 0 || $0.0 > $0.1 }) { return "on the way \(wrong)" }
        }
        return nil
    }
}
