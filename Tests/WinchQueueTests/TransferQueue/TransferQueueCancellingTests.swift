import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A cancelled download` {
    private static let span = Duration.seconds(10)

    private func opened() -> QueueRun {
        var run = QueueRun { ($0.undoSpan, $0.slots) = (Self.span, 1) }
        run.add(1)
        run.open(1, of: 1000)
        return run
    }

    /// 1 moving at 500 of 1000, its connection closed by a cancel with `kept` bytes.
    private func cancelled(isPaused: Bool = false, kept: Int64 = 600) -> QueueRun {
        var run = opened()
        run.move(1, to: 500)
        if isPaused {
            run.command(.pause([TransferID(1)]))
            run.report(1, .stopped(kept: .sample(500, of: 1000)))
        }
        run.command(.cancel([TransferID(1)]))
        if !isPaused {
            expectEqual(run.actions, [.close(ConnectionID(transfer: TransferID(1), number: 1), discarding: false)])
            run.report(1, .stopped(kept: .sample(kept, of: 1000)))
        }
        expectEqual(run.phase(1), .cancelled)
        expectEqual(run.discarded, [])
        return run
    }

    @Test func `resumes with its bytes when the cancel is undone in time`() {
        var run = cancelled()
        run.wait(Self.span - .seconds(1))
        expectEqual(run.queue.totals(at: run.now).restorable, 1)
        run.command(.restore)
        expectEqual(run.request?.resume?.have, ByteCount(600))
        expectEqual(run.bar, "600/1000")
        expect(run.events.contains { $0.kind == .resumed })
        run.wait(.seconds(60))
        expectEqual(run.discarded, [])
    }

    @Test func `is paused again after an undo if it was paused`() {
        var run = cancelled(isPaused: true)
        run.command(.restore)
        expectEqual(run.phase(1), .paused)
        expectEqual(run.bar, "500/1000")
        expect(run.events.map(\.kind).contains(.paused))
    }

    @Test func `loses its part after the time to undo and starts at zero when it is restored later`() {
        var run = cancelled()
        expectEqual(run.queue.nextTick(after: run.now), run.now + Self.span)
        run.wait(Self.span)
        expectEqual(run.discarded, [600])
        run.wait(.seconds(60))
        expectEqual(run.discarded, [])
        run.command(.restore)
        expectEqual(run.started, [1])
        expectEqual(run.bar, "0/1000")
    }

    @Test func `loses its part at once when its row is removed or the queue ends`() {
        for command in [Command.remove([TransferID(1)]), .quit] {
            var run = cancelled()
            run.command(command)
            expectEqual(run.discarded, [600], "\(command)")
            run.wait(.seconds(60))
            expectEqual(run.discarded, [], "\(command)")
        }
    }

    @Test func `releases its name for a file from another URL`() {
        var run = cancelled()
        run.name(.sample(hosts: ["right.example"]))
        expectEqual(run.discarded, [600])
        expectEqual(run.started, [2])
        guard case .discard? = run.actions.first else {
            Issue.record("the part must be gone before the other asks for its name: \(run.actions)")
            return
        }
        run.wait(Self.span)
        expectEqual(run.discarded, [])
    }

    @Test func `loses its part in the next run if its own run was killed earlier`() {
        var run = QueueRun { ($0.undoSpan, $0.slots) = (Self.span, 1) }
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 500)
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: .sample(600, of: 1000)))
        run.pass(.seconds(2))
        let written = run.queue.takeLedgerChanges(at: run.now, UnixTime(milliseconds: 5)).compactMap { change in
            if case .put(let entry) = change { entry } else { nil as LedgerEntry? }
        }
        guard let entry = written.last else {
            Issue.record("nothing was written")
            return
        }
        var next = QueueRun { ($0.undoSpan, $0.slots) = (Self.span, 1) }
        next.queue.keepLedger(from: LedgerKey(100), calendar: .sample)
        next.apply(.added([Addition(entry)]))
        expectEqual(next.phase(1), .cancelled)
        expectEqual(next.discarded, [600])
        next.wait(.seconds(60))
        expectEqual(next.discarded, [])
    }

    @Test func `loses its part at once while the queue is ending`() {
        var run = opened()
        run.command(.quit)
        run.command(.cancel([TransferID(1)]))
        expectEqual(run.actions, [.close(ConnectionID(transfer: TransferID(1), number: 1), discarding: true)])
    }

    @Test func `leaves the list when its connection has closed if its row was removed before`() {
        for span in [Duration.zero, Self.span] {
            var run = QueueRun { $0.undoSpan = span }
            run.add(2)
            run.open(1, of: 1000)
            run.command(.cancel([TransferID(1)]))
            run.command(.remove([TransferID(1)]))
            expectEqual(run.phase(1), .cancelled)
            run.report(1, .stopped(kept: .sample(600, of: 1000)))
            expectNil(run.phase(1))
            expectEqual(run.discarded, [600])
        }
    }

    @Test func `stays in the list when it was tried again after its row was removed`() {
        var run = opened()
        run.command(.cancel([TransferID(1)]))
        run.command(.remove([TransferID(1)]))
        run.command(.retry([TransferID(1)]))
        run.report(1, .stopped(kept: .sample(600, of: 1000)))
        expectEqual(run.started, [1])
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.phase(1), .cancelled)
    }

    @Test func `that was removed and is restored has no part`() {
        var run = cancelled()
        run.command(.remove([TransferID(1)]))
        run.command(.restore)
        expectEqual(run.phase(1), .cancelled)
        run.command(.restore)
        expectEqual(run.started, [1])
        expectEqual(run.bar, "0/1000")
    }

    @Test func `whose connection closes while the queue is ending loses its part then`() {
        var run = opened()
        run.command(.cancel([TransferID(1)]))
        run.command(.quit)
        expectEqual(run.actions, [.shutDown])
        run.report(1, .stopped(kept: .sample(700, of: 1000)))
        expectEqual(run.discarded, [700])
    }

    @Test func `keeps its part until its connection is closed`() {
        var run = opened()
        run.command(.cancel([TransferID(1)]))
        run.wait(Self.span)
        expectEqual(run.discarded, [])
        run.report(1, .stopped(kept: .sample(700, of: 1000)))
        run.wait(.seconds(1))
        expectEqual(run.discarded, [700])
    }

    @Test func `that is restored before its connection is closed waits for that and resumes`() {
        var run = opened()
        run.command(.cancel([TransferID(1)]))
        run.command(.restore)
        expect(run.phase(1) == .waiting && run.started == [])
        run.report(1, .stopped(kept: .sample(700, of: 1000)))
        expectEqual(run.started, [1])
        expectEqual(run.bar, "700/1000")
    }

    @Test func `that was retried separately is skipped by an undo`() {
        var run = cancelled()
        run.command(.retry([TransferID(1)]))
        expectEqual(run.started, [1])
        expectEqual(run.queue.totals(at: run.now).restorable, 0)
        run.command(.restore)
        expectEqual(run.stage(1), .connecting)
        run.wait(Self.span)
        expectEqual(run.discarded, [])
    }

    @Test func `is restored together with those of the same command, the last command first`() {
        var run = QueueRun { ($0.undoSpan, $0.isHeld) = (Self.span, true) }
        run.add(3)
        run.command(.cancel([TransferID(1), TransferID(2)]))
        run.command(.cancel([TransferID(3)]))
        run.command(.restore)
        expectEqual((1...3).map(run.phase), [.cancelled, .cancelled, .paused])
        run.command(.restore)
        expectEqual((1...3).map(run.phase), [.paused, .paused, .paused])
        run.command(.restore)
        expect(run.events.isEmpty)
    }

    @Test(arguments: [Direction.up, .down])
    func `that is an upload or is being finished cannot be restored`(direction: Direction) {
        var run = QueueRun { $0.undoSpan = Self.span }
        run.add(.sample(direction: direction))
        if direction == .down {
            run.open(1, of: 1000)
            run.report(1, .bodyEnded(size: ByteCount(1000)))
        }
        run.command(.cancel([TransferID(1)]))
        expectEqual(run.actions, [.close(ConnectionID(transfer: TransferID(1), number: 1), discarding: true)])
        expectEqual(run.queue.totals(at: run.now).restorable, 0)
    }
}

extension QueueRun {
    /// The bytes of the parts that the last event had removed.
    fileprivate var discarded: [Int64] {
        actions.compactMap { action in
            if case .discard(_, let resume, _, _, _) = action { resume?.have.bytes } else { nil }
        }
    }
}
