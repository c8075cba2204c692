import Testing

@testable import WinchCore

@Suite struct `A removed transfer` {
    /// 1 finished with 100, 2 failed with 30 of 90, 3 moving at 50 of 200, 4 waiting.
    private var run: QueueRun {
        var run = QueueRun { $0.slots = 3 }
        run.add(4, settings: .sample(maxTries: 1))
        for number in 1...3 { run.report(number, .requested) }
        run.open(1, of: 100)
        run.finish(1, with: 100)
        run.open(2, of: 90)
        run.move(2, to: 30)
        run.fail(2, .httpStatus(404), kept: 30)
        run.open(3, of: 200)
        run.move(3, to: 50)
        return run
    }

    private func ids(_ numbers: Int...) -> [TransferID] { numbers.map(TransferID.init) }

    @Test func `comes back as it was, where it was, with its share of the sums`() {
        var run = run
        let (before, order) = (run.bar, run.queue.order)
        let phases = (1...4).map(run.phase)
        run.command(.remove(ids(2, 1)))
        #expect(run.queue.order == ids(3, 4))
        #expect(run.queue.totals(at: run.now).restorable == 2)
        #expect(run.bar != before)
        run.command(.restore)
        #expect(run.queue.order == order)
        #expect(run.bar == before)
        #expect((1...4).map(run.phase) == phases)
        #expect(run.told.completed == run.queue.progress.completed)
        #expect(run.told.total == run.queue.progress.total)
        #expect(run.queue.totals(at: run.now).restorable == 0)
        #expect(run.queue.known.estimate == self.run.queue.known.estimate)
    }

    @Test func `is told to the face as gone, and as a row when it is back`() {
        var run = run
        _ = run.queue.takeUpdate(at: run.now)
        var board = Board()
        func tell(_ command: Command) {
            _ = run.queue.apply(.command(command), at: run.now)
            if let update = run.queue.takeUpdate(at: run.now) { board.apply(update) }
        }
        board.apply(Update(rows: [:], order: run.queue.order, at: run.now))
        tell(.remove(ids(1)))
        #expect(board.order == ids(2, 3, 4))
        #expect(board[TransferID(1)] == nil)
        tell(.restore)
        #expect(board.order == ids(1, 2, 3, 4))
        #expect(board[TransferID(1)]?.have == ByteCount(100))
        // Both between two looks of a slow face.
        _ = run.queue.apply(.command(.remove(ids(1))), at: run.now)
        _ = run.queue.apply(.command(.restore), at: run.now)
        if let update = run.queue.takeUpdate(at: run.now) { board.apply(update) }
        #expect(board[TransferID(1)]?.have == ByteCount(100))
    }

    @Test func `comes back batch by batch, the last one first`() {
        var run = run
        run.command(.remove(ids(1)))
        run.command(.remove(ids(2)))
        run.command(.restore)
        #expect(run.queue.order == ids(2, 3, 4))
        run.command(.restore)
        #expect(run.queue.order == ids(1, 2, 3, 4))
        run.command(.restore)
        #expect(run.queue.order == ids(1, 2, 3, 4))
    }

    @Test func `finds its place among those that were moved and added meanwhile`() {
        var run = run
        run.command(.remove(ids(2)))
        run.command(.shift(ids(4), .first))
        run.add(1)
        run.command(.restore)
        #expect(run.queue.order == ids(4, 1, 2, 3, 5))
    }

    @Test func `keeps its place when all ranks are given anew`() {
        var run = run
        run.command(.remove(ids(1)))
        // Each halves the room between 2 and its neighbour, until there is none.
        for _ in 0..<50 {
            run.command(.move(TransferID(4), by: -1))
            run.command(.move(TransferID(3), by: -1))
        }
        run.command(.restore)
        #expect(run.queue.order == ids(1, 2, 3, 4))
    }

    @Test func `shares its rank with nobody who took its place meanwhile`() {
        var run = run
        run.command(.remove(ids(2)))
        run.command(.move(TransferID(4), by: -1))
        run.command(.restore)
        let ranks = run.queue.transfers.map(\.rank)
        #expect(ranks == Set(ranks).sorted())
    }

    @Test func `that failed can be retried after it came back`() {
        var run = run
        run.command(.remove(ids(2)))
        run.command(.retry(ids(2)))
        #expect(run.phase(2) == nil)
        run.command(.restore)
        run.command(.retry(ids(2)))
        #expect(run.phase(2) == .waiting || run.phase(2) == .connecting)
    }

    @Test func `does not start a run nor end one`() {
        var run = QueueRun()
        run.add(1)
        run.report(1, .requested)
        run.open(1, of: 10)
        run.finish(1, with: 10)
        run.command(.remove(ids(1)))
        run.command(.restore)
        #expect(!run.events.contains { $0.kind == .queueFinished })
        #expect(run.queue.fraction.value == 1)
    }
}

@Suite struct `Moving several together` {
    @Test(
        arguments: [
            ([2], .earlier, [2, 1, 3, 4, 5, 6]), ([1], .earlier, [1, 2, 3, 4, 5, 6]),
            ([2, 3], .earlier, [2, 3, 1, 4, 5, 6]), ([1, 3], .earlier, [1, 3, 2, 4, 5, 6]),
            ([2, 4, 6], .earlier, [2, 1, 4, 3, 6, 5]), ([5], .later, [1, 2, 3, 4, 6, 5]),
            ([5, 6], .later, [1, 2, 3, 4, 5, 6]), ([2, 3, 6], .later, [1, 4, 2, 3, 5, 6]),
            ([5, 3], .first, [3, 5, 1, 2, 4, 6]), ([1, 2], .first, [1, 2, 3, 4, 5, 6]),
            ([4, 2], .last, [1, 3, 5, 6, 2, 4]), ([9, -1, 2], .last, [1, 3, 4, 5, 6, 2]),
            ([], .first, [1, 2, 3, 4, 5, 6]),
        ] as [([Int], QueueShift, [Int])])
    func `keeps their order among themselves, and the queue starts in it`(
        numbers: [Int], shift: QueueShift, expected: [Int]
    ) {
        var run = QueueRun { $0.isHeld = true }
        run.add(6)
        run.command(.shift(numbers.map(TransferID.init), shift))
        #expect(run.queue.order.map(\.number) == expected)
        run.command(.setSlots(6))
        run.command(.resumeAll)
        #expect(run.started == expected)
    }

    @Test func `can be done for ever`() {
        var run = QueueRun { $0.isHeld = true }
        run.add(4)
        for round in 0..<400 {
            let shift = QueueShift.allCases[round % 4]
            run.command(.shift([TransferID(round % 3 + 1), TransferID(4)], shift))
        }
        run.command(.setSlots(4))
        let order = run.queue.order.map(\.number)
        run.command(.resumeAll)
        #expect(run.started == order)
    }
}

@Suite struct `A limit of single transfers` {
    @Test func `works at once on what runs, and from the start on what waits`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(3)
        let all = (1...3).map(TransferID.init)
        run.command(.setRateLimitEach([all[0], all[2]], ByteRate(perSecond: 500)))
        #expect(run.actions == [.limit(all[0], ByteRate(perSecond: 500))])
        run.report(2, .requested)
        run.open(2, of: 1)
        run.finish(2, with: 1)
        #expect(run.queue[all[2]]?.appliedLimit == ByteRate(perSecond: 500))
        run.command(.setRateLimitEach(all, nil))
        #expect(Set(run.actions) == [.limit(all[0], nil), .limit(all[2], nil)])
    }

    @Test func `and one for all: the lower one holds`() {
        var run = QueueRun { $0.rateLimit = ByteRate(perSecond: 300) }
        run.add(1)
        run.command(.setRateLimitEach([TransferID(1)], ByteRate(perSecond: 1000)))
        #expect(run.queue[TransferID(1)]?.appliedLimit == ByteRate(perSecond: 300))
        run.command(.setRateLimitEach([TransferID(1)], ByteRate(perSecond: 100)))
        #expect(run.queue[TransferID(1)]?.appliedLimit == ByteRate(perSecond: 100))
    }

    @Test func `of nothing, or of nobody, is none`() {
        var run = QueueRun()
        run.add(1)
        run.command(.setRateLimitEach([TransferID(1), TransferID(7), TransferID(-3)], .zero))
        #expect(run.actions.isEmpty)
    }

    @Test func `leaves transfers with the same settings with one copy of the new ones`() {
        var run = QueueRun { $0.isHeld = true }
        let shared = Shared(TransferSettings())
        var specs: [Addition] = []
        for _ in 0..<3 {
            var spec = TransferSpec.sample()
            spec.settings = shared
            specs.append(Addition(spec: spec))
        }
        run.apply(.added(specs))
        run.command(.setRateLimitEach((1...3).map(TransferID.init), ByteRate(perSecond: 5)))
        let settings = run.queue.transfers.map(\.spec.settings)
        #expect(settings.allSatisfy { $0 === settings[0] })
        #expect(shared.value.rateLimit == nil)
    }
}
