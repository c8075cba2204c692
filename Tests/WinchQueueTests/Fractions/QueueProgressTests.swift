import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Streams of events with the bar after each, computed by hand.
@Suite struct `The queue's bar` {
    @Test func `counts a failed transfer as settled in simple mode`() {
        var run = QueueRun { $0.mode = .simple }
        run.add(4)
        for number in [1, 2, 4] { run.finish(number, with: 10) }
        run.fail(3, .httpStatus(404))
        expectEqual(run.bar, "4/4")
        expectEqual(run.queue.progress.finished, 3)
        expectEqual(run.queue.progress.failed, 1)
        expectEqual(run.queue.fraction.value, 1)
    }

    @Test func `estimates an unknown size from the known ones and doubles it when it is exceeded`() {
        var run = QueueRun()
        run.add(3)
        run.size(1, 1000)
        run.size(3, 3000)
        run.size(2, nil)
        expectEqual(run.bar, "0/5000 ~")
        for (number, size) in [(1, Int64(1000)), (3, 3000)] {
            run.fetch(number, of: size)
        }
        run.open(2, of: nil)
        run.move(2, to: 5000)
        expectEqual(run.bar, "9000/14000 ~")
        expect(run.events.contains { $0.kind == .rebase(.guessOutgrown) })
        run.finish(2, with: 5000)
        expectEqual(run.bar, "9000/9000")
        expectEqual(run.queue.fraction.value, 1)
    }

    @Test func `prefers the size of the response to that of a probe`() {
        var run = QueueRun()
        run.add(1)
        run.size(1, 900)
        expectEqual(run.bar, "0/900")
        run.open(1, of: 1000)
        expectEqual(run.bar, "0/1000")
        run.size(1, 900)
        expectEqual(run.bar, "0/1000")
        run.finish(1, with: 1000)
        expectEqual(run.bar, "1000/1000")
    }

    @Test func `shows a kept part at once and continues from it`() {
        var run = QueueRun()
        run.add(kept: 400, of: 1000)
        expectEqual(run.bar, "400/1000")
        run.open(1, at: 400, of: 1000, status: 206)
        expectEqual(run.bar, "400/1000")
        run.move(1, to: 700)
        expectEqual(run.bar, "700/1000")
        run.finish(1, with: 1000)
        expectEqual(run.bar, "1000/1000")
    }

    @Test(arguments: [(0, "0/1000", [Rebase.Cause.rangeIgnored]), (600, "600/1000", [])])
    func `subtracts exactly what a lost connection lost`(offset: Int64, bar: String, causes: [Rebase.Cause]) {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 600)
        expectEqual(run.bar, "600/1000")
        run.fail(1, kept: 600)
        expectEqual(run.bar, "600/1000")
        run.wait(.seconds(2))
        expectEqual(run.started, [1])
        run.open(1, at: offset, of: 1000, startedOver: causes.first)
        expectEqual(run.bar, bar)
        expectEqual(run.rebases, causes)
        run.move(1, to: 1000)
        run.finish(1, with: 1000)
        expectEqual(run.bar, "1000/1000")
    }

    @Test(arguments: [(1, "0/0"), (2, "1000/1000")])
    func `is full with an empty file`(count: Int, bar: String) {
        var run = QueueRun()
        run.add(count)
        for (number, size) in [(1, Int64(0)), (2, 1000)].prefix(count) {
            expectLess(run.queue.fraction.value, than: 1)
            run.fetch(number, of: size)
        }
        expectEqual(run.bar, bar)
        expectEqual(run.queue.fraction.value, 1)
    }
}

extension `The queue's bar` {
    @Test func `shrinks by the bytes that a cancelled transfer will not fetch`() {
        var run = QueueRun()
        run.add(3)
        for number in 1...3 { run.open(number, of: 1000) }
        run.finish(1, with: 1000)
        run.move(2, to: 500)
        expectEqual(run.bar, "1500/3000")
        run.command(.cancel([TransferID(2)]))
        expectEqual(run.bar, "1500/2500")
        run.finish(3, with: 1000)
        expectEqual(run.bar, "2500/2500")
    }

    @Test func `includes a new transfer's estimate at once`() {
        var run = QueueRun()
        run.add(5)
        for number in 1...4 { run.open(number, of: 130_050) }
        run.finish(1, with: 130_050)
        run.open(5, of: 130_050)
        run.finish(2, with: 130_050)
        expectEqual(run.bar, "260100/650250")
        run.add(1)
        expectEqual(run.bar, "260100/780300 ~")
        expectEqual(run.rebases, [.added(1)])
    }

    @Test func `becomes an estimate again when more arrives than was declared`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 1000)
        run.move(1, to: 1200)
        expectEqual(run.bar, "1200/2400 ~")
        expectEqual(run.rebases, [.outgrown])
        run.finish(1, with: 1200)
        expectEqual(run.bar, "1200/1200")
    }

    /// The size of a probe is exceeded where none was declared: the transport cannot know.
    @Test func `becomes an estimate again when more arrives than was probed`() {
        var run = QueueRun()
        run.add(1)
        run.size(1, 900)
        run.open(1, of: nil)
        run.move(1, to: 800)
        run.move(1, to: 1000)
        expectEqual(run.bar, "1000/2000 ~")
        expectEqual(run.rebases, [.outgrown])
    }
}

extension QueueRun {
    /// A probe's size is reported, whether it was requested or not.
    mutating func size(_ number: Int, _ bytes: Int64?) {
        queue.probes.ask(TransferID(number))
        report(number, .probed(bytes.map(ByteCount.init(bytes:))))
    }
}
