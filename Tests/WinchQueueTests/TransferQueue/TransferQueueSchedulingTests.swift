import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Connection slots` {
    @Test func `can be changed while transfers run`() {
        var run = QueueRun()
        run.add(10)
        run.command(.setSlots(6))
        expectEqual(run.running, [1, 2, 3, 4, 5, 6])
        // No connection is closed.
        run.command(.setSlots(1))
        expectEqual(run.running, [1, 2, 3, 4, 5, 6])
        for number in 1...5 { run.finish(number, with: 1) }
        expectEqual(run.running, [6])
        run.finish(6, with: 1)
        expectEqual(run.running, [7])
    }

    @Test(arguments: [(-5, 1), (0, 1), (1, 1), (16, 16), (Int.max, Command.mostSlots)])
    func `number at least one`(wanted: Int, given: Int) {
        var run = QueueRun { $0.slots = wanted }
        expectEqual(run.queue.settings.slots, given)
        run.command(.setSlots(wanted))
        expectEqual(run.queue.settings.slots, given)
    }

    @Test func `are released by a file that is being finished`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(2)
        run.report(1, .bodyEnded(size: ByteCount(10)))
        expectEqual(run.running, [2])
        let totals = run.queue.totals(at: run.now)
        expect((totals.active, totals.finishing, totals.working, totals.waiting) == (1, 1, 2, 0))
    }

    @Test func `of a host are not exceeded, and transfers of other hosts start first`() {
        var run = QueueRun { $0.perHost = 2 }
        let specs = ["a", "a", "a", "b", "a", "c"].map { TransferSpec.sample(hosts: [$0]) }
        run.apply(.added(specs.map { Addition(spec: $0) }))
        expectEqual(run.running, [1, 2, 4, 6])
        run.finish(4, with: 1)
        expectEqual(run.running, [1, 2, 6])
        run.finish(2, with: 1)
        expectEqual(run.running, [1, 3, 6])
        run.finish(3, with: 1)
        expectEqual(run.running, [1, 5, 6])
    }

    @Test func `of a host are released by a pause`() {
        var run = QueueRun { $0.perHost = 1 }
        run.add(3)
        expectEqual(run.running, [1])
        run.command(.pause([TransferID(1)]))
        expectEqual(run.running, [2])
        run.command(.pause([TransferID(3)]))
        run.finish(2, with: 1)
        expectEqual(run.running, [])
        run.report(1, .stopped(kept: nil))
        run.command(.resumeAll)
        expectEqual(run.running, [1])
    }

    @Test func `of a host go to the next transfer when the one in front is paused`() {
        var run = QueueRun {
            $0.slots = 2
            $0.perHost = 1
        }
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["b"]))
        expectEqual(run.running, [1, 4])
        run.command(.setSlots(1))
        run.finish(1, with: 1)
        run.command(.pause([TransferID(2)]))
        expectEqual(run.running, [4])
        run.command(.setSlots(2))
        expectEqual(run.running, [3, 4])
    }

    @Test func `determine the reason that a waiting row shows`() {
        var run = QueueRun {
            $0.slots = 2
            $0.perHost = 1
        }
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["a"]))
        var board = QueueCopy()
        func look() -> [TransferPhase?] {
            if var update = run.queue.takeUpdate(at: run.now) {
                // The run has taken the updates in between, which changed none of these rows.
                update.base = board.number
                board.apply(update)
            }
            return [2, 3, 4].map { board[TransferID($0)]?.phase }
        }
        run.tell()
        expectEqual(look()[0], .waiting(.hostSlot))
        run.add(.sample(hosts: ["b"]), .sample(hosts: ["c"]))
        run.tell()
        expectEqual(look(), [.waiting(.hostSlot), .connecting, .waiting(.slot)])
        // The host has a slot again; its row is not updated, but shows the right reason.
        run.command(.setSlots(1))
        run.finish(1, with: 1)
        run.queue.feed.noteTotals()
        expectEqual(look(), [.waiting(.slot), .connecting, .waiting(.slot)])
    }

    @Test func `go to the transfer that was moved to the front`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(5)
        run.command(.move(TransferID(5), by: -3))
        expectEqual(run.queue.order.map(\.number), [1, 5, 2, 3, 4])
        run.command(.move(TransferID(2), by: 1))
        run.command(.move(TransferID(2), by: Int.max))
        expectEqual(run.queue.order.map(\.number), [1, 5, 3, 4, 2])
        run.command(.move(TransferID(4), by: Int.min))
        expectEqual(run.queue.order.map(\.number), [4, 1, 5, 3, 2])
        run.add(1)
        for (done, next) in [(1, 4), (4, 5), (5, 3), (3, 2), (2, 6)] {
            run.finish(done, with: 1)
            expectEqual(run.running, [next])
        }
    }
}

extension QueueRun {
    /// Makes the next update report every row.
    fileprivate mutating func tell() {
        for transfer in queue.transfers { queue.feed.noteChange(of: transfer.id) }
    }
}
