import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `The board of a fleet` {
    private var board = FleetBoard()

    private func record(_ name: String, rate: Double = 0, done: Int = 0, bytes: Int64 = 0) -> WorkerRecord {
        WorkerRecord(
            name: name, version: "1.0", pid: 7, jobs: 4, held: 2, working: 1, connections: 1, rate: rate, free: 100,
            done: done, failed: 0, bytes: bytes)
    }

    private func row(_ number: Int, _ name: String, _ phase: TransferPhase = .moving) -> TransferSnapshot {
        TransferSnapshot(
            id: TransferID(number), name: name, host: "h", phase: phase, have: ByteCount(bytes: 10),
            rate: ByteRate(perSecond: 5))
    }

    /// The whole queue of a worker.
    private func whole(_ rows: [TransferSnapshot], number: Int = 1, at moment: Moment) -> Update {
        Update(
            base: nil, number: number, rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }),
            order: rows.map(\.id), at: moment)
    }

    private mutating func join(_ worker: String, _ name: String, _ rows: [TransferSnapshot], at moment: Moment) {
        board.apply(.record(worker: worker, record(name)), at: moment)
        board.apply(.update(worker: worker, whole(rows, at: moment), entries: [:]), at: moment)
    }

    private func failure(_ sequence: UInt64, entry: UInt64) -> FleetRun.Failure {
        FleetRun.Failure(
            sequence: sequence,
            record: FailureRecord(
                entry: entry, id: "x", text: "http://host/dir/bad.bin\n", isBase64: false, reason: "404 not found",
                wasSubmitted: true, deliveries: 1, worker: "m9-abc"))
    }

    /// A dashboard's copy after the news.
    private func shown(_ copy: inout QueueCopy, _ news: FleetBoard.News) -> [String] {
        let isNext = copy.apply(news.update)
        expect(isNext)
        return copy.order.compactMap { id in
            copy[id].map { "\(news.machineOf[id] ?? "?") \($0.name)" }
        }
    }

    @Test mutating func `has the rows of all machines as one list`() {
        var copy = QueueCopy()
        join("b-1", "beech", [row(1, "b1"), row(2, "b2")], at: at(0))
        join("a-1", "ash", [row(1, "a1"), row(2, "a2", .failed(.other("x")))], at: at(10))
        board.apply(.failures([failure(1, entry: 17)], isWhole: true), at: at(20))
        expectEqual(shown(&copy, board.takeNews(at: at(30))), ["ash a1", "beech b1", "beech b2", "m9 bad.bin"])
        let change = Update(
            base: 1, number: 2, rows: [TransferID(3): row(3, "b3")], removed: [TransferID(1)],
            order: [TransferID(3), TransferID(2)], at: at(40))
        board.apply(.update(worker: "b-1", change, entries: [:]), at: at(40))
        expectEqual(shown(&copy, board.takeNews(at: at(50))), ["ash a1", "beech b3", "beech b2", "m9 bad.bin"])
        let restart = whole([row(9, "b9")], number: 40, at: at(60))
        board.apply(.update(worker: "b-1", restart, entries: [:]), at: at(60))
        board.apply(.failures([], isWhole: true), at: at(60))
        expectEqual(shown(&copy, board.takeNews(at: at(70))), ["ash a1", "beech b9"])
        expectNil(copy[TransferID(1)])
    }

    @Test mutating func `asks for the whole queue of a worker whose changes do not follow`() {
        board.apply(.record(worker: "a-1", record("ash")), at: at(0))
        expectEqual(board.takeNews(at: at(0)).wanted, ["a-1"])
        expectEqual(board.takeNews(at: at(250)).wanted, [])
        expectEqual(board.takeNews(at: at(2000)).wanted, ["a-1"])
        board.apply(.update(worker: "a-1", whole([row(1, "a1")], at: at(2100)), entries: [:]), at: at(2100))
        board.apply(.record(worker: "a-1", record("ash")), at: at(5000))
        expectEqual(board.takeNews(at: at(5000)).wanted, [])
        let later = Update(base: 7, number: 8, rows: [TransferID(2): row(2, "a2")], at: at(5100))
        board.apply(.update(worker: "a-1", later, entries: [:]), at: at(5100))
        let news = board.takeNews(at: at(5200))
        expectEqual(news.wanted, ["a-1"])
        expect(news.update.rows.isEmpty)
    }

    @Test mutating func `marks a worker that has vanished within five seconds, and takes its rows away later`() {
        var copy = QueueCopy()
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        join("b-1", "beech", [row(1, "b1")], at: at(0))
        _ = shown(&copy, board.takeNews(at: at(250)))
        for second in 1...40 as ClosedRange<Int64> {
            board.apply(.record(worker: "b-1", record("beech")), at: at(second * 1000))
            let news = board.takeNews(at: at(second * 1000))
            _ = shown(&copy, news)
            expectEqual(news.machines.map(\.isLost), [second >= 4, false], "after \(second) s")
            if second == 5 {
                let row = copy.order.first.flatMap { copy[$0] }
                expect(row?.stalledSince == at(0) && row?.rate == nil)
                expect(news.log.map(\.message).contains { $0.contains("ash has vanished") })
            }
        }
        expectEqual(copy.count, 1)
        board.apply(.record(worker: "a-1", record("ash")), at: at(41_000))
        let back = board.takeNews(at: at(41_000))
        expectEqual(back.machines.map(\.isLost), [false, false])
        expectEqual(back.wanted, ["a-1"])
    }

    @Test mutating func `takes no worker as vanished while it has no connection itself`() {
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        board.apply(.connection(isThere: false), at: at(1000))
        expectEqual(board.takeNews(at: at(60_000)).machines.map(\.isLost), [false])
        board.apply(.connection(isThere: true), at: at(60_000))
        expectEqual(board.takeNews(at: at(61_000)).machines.map(\.isLost), [false])
        expectEqual(board.takeNews(at: at(64_500)).machines.map(\.isLost), [true])
    }

    @Test mutating func `forgets a worker that has left in order at once`() {
        var copy = QueueCopy()
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        _ = shown(&copy, board.takeNews(at: at(0)))
        board.apply(.record(worker: "a-1", nil), at: at(100))
        let news = board.takeNews(at: at(1000))
        expectEqual(shown(&copy, news), [])
        expectEqual(news.machines, [])
        expect(news.log.map(\.message).contains("ash has left"))
    }

    @Test mutating func `does not call a run complete whose sizes are not known`() {
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        board.apply(.record(worker: "a-1", record("ash", rate: 1000, done: 0, bytes: 0)), at: at(0))
        board.apply(.counts(done: 0, failed: 0, left: 60), at: at(0))
        let totals = board.takeNews(at: at(0)).update.totals
        expectNil(totals.finish)
    }

    @Test mutating func `sums up the run and not the rows`() {
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        board.apply(.record(worker: "a-1", record("ash", rate: 1000, done: 10, bytes: 5000)), at: at(0))
        board.apply(.tally(worker: "gone-1", RunTally(done: 30, bytes: 15_000)), at: at(0))
        board.apply(.counts(done: 40, failed: 2, left: 60), at: at(0))
        let totals = board.takeNews(at: at(0)).update.totals
        expect((totals.count, totals.finished, totals.failed) == (102, 40, 2))
        expect((totals.completed, totals.total, totals.waiting, totals.active) == (42, 102, 59, 1))
        expectEqual(totals.bytesDone, 20_010)
        // 60 entries of 500 bytes, of which 10 are there.
        expectEqual(totals.bytesTotal, 20_010 + 29_990)
        expect(totals.areBytesEstimated)
        expectEqual(totals.rate, ByteRate(perSecond: 1000))
        expectEqual(totals.finish.map { abs(($0 - at(29_990)).seconds) < 0.001 }, true)
    }

    @Test mutating func `foretells the end from the pace of the entries`() {
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        for second in 0...20 as ClosedRange<Int64> {
            board.apply(.record(worker: "a-1", record("ash", rate: 1)), at: at(second * 1000))
            board.apply(
                .counts(done: UInt64(second * 5), failed: 0, left: UInt64(500 - second * 5)), at: at(second * 1000))
        }
        expectEqual(
            board.takeNews(at: at(20_000)).update.totals.finish.map { abs(($0 - at(100_000)).seconds) < 0.001 }, true)
    }

    @Test mutating func `says that it is paused and limited, and when all is done`() {
        var control = RunControl()
        (control.isPaused, control.limit) = (true, 5000)
        board.apply(.control(control), at: at(0))
        expect(board.takeNews(at: at(0)).update.totals.isReading)
        board.apply(.counts(done: 3, failed: 0, left: 0), at: at(0))
        let totals = board.takeNews(at: at(10)).update.totals
        expect(totals.isHeld && totals.allSettled)
        expectEqual(totals.rateLimit, ByteRate(perSecond: 5000))
    }

    @Test mutating func `has the log of all machines in the order of time`() {
        join("a-1", "ash", [row(1, "a1")], at: at(0))
        join("b-1", "beech", [row(1, "b1")], at: at(0))
        for (id, name) in [("a-1", "ash"), ("b-1", "beech")] {
            board.apply(.record(worker: id, record(name)), at: at(5000))
        }
        _ = board.takeNews(at: at(5000))
        func event(_ name: String, _ id: Int, at moment: Moment) -> Update {
            var update = Update(base: 1, number: 2, rows: [TransferID(id): row(id, name)], at: moment)
            update.events = [
                FeedEvent(
                    id: TransferID(id), at: moment, kind: .finished(.saved(path: name)), have: ByteCount(bytes: 4))
            ]
            return update
        }
        board.apply(.update(worker: "b-1", event("late", 1, at: at(5200)), entries: [:]), at: at(5300))
        board.apply(.update(worker: "a-1", event("early", 1, at: at(5100)), entries: [:]), at: at(5400))
        expectEqual(board.takeNews(at: at(5500)).log, [], "an earlier one may be on its way")
        expectEqual(
            board.takeNews(at: at(6000)).log.map(\.message),
            [
                "ash: early: finished, 4 B", "beech: late: finished, 4 B",
            ])
    }

    @Test mutating func `knows the entries behind its rows`() {
        board.apply(.record(worker: "a-1", record("ash")), at: at(0))
        let update = whole([row(5, "a5")], at: at(0))
        board.apply(.update(worker: "a-1", update, entries: [TransferID(5): 44]), at: at(0))
        board.apply(.failures([failure(3, entry: 17)], isWhole: false), at: at(0))
        let ids = board.takeNews(at: at(0)).update.order?.ids ?? []
        expectEqual(ids.count, 2)
        expectEqual(board.entries(of: ids), [44, 17])
        expectEqual(board.failed(of: ids), [17])
        let place = ids.first.flatMap { board.place(of: $0) }
        expectEqual(place?.row, TransferID(5))
    }

    @Test mutating func `tells two workers with one name apart`() {
        join("m-1", "m", [row(1, "x")], at: at(0))
        join("m-2", "m", [row(1, "y")], at: at(0))
        expectEqual(board.takeNews(at: at(0)).machines.map(\.name), ["m-1", "m-2"])
    }
}
