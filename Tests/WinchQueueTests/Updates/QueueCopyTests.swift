import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A copy of the queue` {
    /// Whether it reads after each change, occasionally, or once at the end.
    @Test(arguments: 0..<Streams.blocks)
    func `equals the queue, however rarely it is updated`(block: UInt64) {
        for seed in Streams.seeds(block, share: 10) {
            if let broken = watch(seed: seed) {
                Issue.record("seed \(seed): \(broken)")
                return
            }
        }
    }

    private func watch(seed: UInt64) -> String? {
        var events = RandomEvents(seed: seed)
        var queue = TransferQueue(settings: events.settings())
        var now = Moment(seconds: 1000)
        let box = UpdateBuffer(wake: {})
        var (watchful, idle) = (QueueCopy(), QueueCopy())
        var reported = (watchful: Int64(0), idle: Int64(0))
        for _ in 0..<events.length() / 2 {
            now = now + events.span()
            _ = queue.apply(events.event(for: queue, at: now), at: now)
            if let update = queue.takeUpdate(at: now) {
                watchful.apply(update)
                reported.watchful += update.events.total
                box.post(update)
            }
            if events.chance(20), let update = box.take() {
                idle.apply(update)
                reported.idle += update.events.total
            }
        }
        if let update = box.take() {
            idle.apply(update)
            reported.idle += update.events.total
        }
        if rows(of: watchful) != rows(of: idle) || watchful.order != idle.order || watchful.totals != idle.totals {
            return "the two boards differ"
        }
        if reported.idle != queue.progress.total || reported.watchful != reported.idle { return "told \(reported)" }
        return compare(watchful, with: queue, at: now)
    }

    private func rows(of board: QueueCopy) -> [TransferSnapshot?] { board.order.map { board[$0] } }

    private func compare(_ board: QueueCopy, with queue: TransferQueue, at now: Moment) -> String? {
        if board.order != queue.order || board.count != queue.order.count { return "rows" }
        for transfer in queue.transfers {
            guard let row = board[transfer.id] else { return "row \(transfer.id.number) is missing" }
            if row.have != transfer.have || row.size != transfer.size { return "bytes of \(transfer.id.number)" }
            if row.phase.isSettled != transfer.isSettled { return "phase of \(transfer.id.number)" }
        }
        let totals = board.totals
        let sum =
            totals.waiting + totals.working + totals.paused + totals.backoff + totals.finished + totals.failed
            + totals.cancelled
        if sum != totals.count || totals.count != queue.order.count { return "totals \(totals)" }
        let whole = queue.sums.fraction(in: queue.settings.mode)
        return totals.fraction == whole.value ? nil : "fraction"
    }

    @Test func `receives one event for the bytes of several reports`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        let id = TransferID(1)
        for have in [100, 200, 300] as [Int64] {
            _ = run.queue.apply(
                .report(
                    TransportReport(
                        ConnectionID(transfer: id, number: 1), at: run.now, event: .moving(to: have))),
                at: run.now)
        }
        let update = run.queue.takeUpdate(at: run.now)
        #expect(update?.events.map(\.kind) == [.moved])
        #expect(update?.events.map(\.completed) == [300])
        #expect(update?.events.map(\.have) == [ByteCount(300)])
        #expect(update?.order == nil)
        #expect(run.queue.takeUpdate(at: run.now) == nil)
    }

    @Test func `is woken once until it reads the updates`() async {
        await confirmation(expectedCount: 2) { woken in
            let box = UpdateBuffer(wake: { woken() })
            box.post(Update(at: Moment(seconds: 1)))
            box.post(Update(at: Moment(seconds: 2)))
            #expect(box.take()?.at == Moment(seconds: 2))
            #expect(box.take() == nil)
            box.post(Update(at: Moment(seconds: 3)))
        }
    }
}

extension [FeedEvent] {
    /// Change of the downloads' total.
    fileprivate var total: Int64 { reduce(0) { $0 + ($1.direction == .down ? $1.total : 0) } }
}
