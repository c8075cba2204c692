import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The command of a transfer that has ended` {
    private static let settings: TransferSettings = {
        var settings = TransferSettings.sample(maxTries: 2)
        (settings.onDone, settings.onFail) = (HookCommand("done"), HookCommand("fail"))
        return settings
    }()

    private func run(_ count: Int = 1) -> QueueRun {
        var run = QueueRun()
        run.add(count, settings: Self.settings)
        return run
    }

    private func calls(_ run: QueueRun) -> [String] { run.hookCalls.map { "\($0.command.text) \($0.id.number)" } }

    @Test func `is due once, whatever attempts it took and whatever becomes of its row`() {
        var run = run()
        run.fail(1)
        run.wait(.seconds(60))
        expectEqual(calls(run), [])
        run.fetch(1, of: 100)
        expectEqual(calls(run), ["done 1"])
        expectEqual(run.hookCalls.first?.have, ByteCount(100))
        run.command(.remove([TransferID(1)]))
        run.command(.restore)
        expectEqual(calls(run), ["done 1"])
    }

    @Test func `is due for each final failure, and for none that is repeated`() {
        var run = run()
        run.fail(1)
        run.wait(.seconds(60))
        run.fail(1)
        expectEqual(calls(run), ["fail 1"])
        run.command(.retry([TransferID(1)]))
        run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(1)))
        expectEqual(calls(run), ["fail 1", "done 1"])
    }

    @Test func `is not due for a cancelled transfer, nor when the cancel is undone`() {
        var run = run(2)
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.phase(1), .cancelled)
        run.command(.restore)
        expectEqual(calls(run), [])
    }

    @Test func `is not due for what an earlier run has settled`() {
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(100), calendar: .sample)
        let states: [LedgerState] = [.finished(.saved(path: "file")), .failed(.httpStatus(404)), .cancelled]
        run.apply(
            .added(
                states.enumerated().map { index, state in
                    Addition(
                        LedgerEntry(
                            key: LedgerKey(Int64(index + 1)), rank: index, spec: .sample(settings: Self.settings),
                            standing: state, name: "file", resume: nil, size: .exact(ByteCount(1)), attempts: 1,
                            received: ByteCount(1), addedAt: UnixTime(milliseconds: 1)))
                }))
        expect(run.queue.count == 3 && calls(run) == [])
    }

    /// Named again with a checksum, found once more in a folder, or added again to a session.
    @Test func `is due for a file that was finished before only when it is fetched anew`() {
        var checked = Addition(spec: .sample(settings: Self.settings))
        checked.wasFinished = true
        var asked = Addition(spec: .finishedBefore)
        asked.spec.settings = Shared(Self.settings)
        for addition in [checked, asked] {
            for (outcome, expected) in [
                (.alreadyComplete(path: "file"), []), (.saved(path: "file"), ["done 1"]),
            ] as [(TransferPhase.Outcome, [String])] {
                var run = QueueRun()
                run.apply(.added([addition]))
                run.report(1, .finished(outcome, size: ByteCount(1)))
                expectEqual(calls(run), expected, "\(outcome)")
                run.name(addition.spec)
                run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(1)))
                expectEqual(calls(run), expected, "\(outcome), added again")
                run.name(addition.spec)
                run.report(1, .finished(.saved(path: "file"), size: ByteCount(1)))
                expectEqual(calls(run), expected + ["done 1"], "\(outcome), and fetched")
            }
        }
    }

    @Test func `is not due for a Metalink, but for its files`() {
        var run = run()
        run.report(1, .requested)
        run.report(
            1, .listed([.sample(hosts: ["c"], settings: Self.settings)], size: ByteCount(5), warning: nil))
        run.finish(2, with: 1)
        expectEqual(calls(run), ["done 2"])
    }

    @Test func `is told with the update, and kept for no slow front end`() throws {
        var queue = TransferQueue(settings: QueueSettings())
        let now = Moment(seconds: 1)
        _ = queue.apply(.added([Addition(spec: .sample(settings: Self.settings))]), at: now)
        let connection = try require(queue[TransferID(1)]).lastConnection
        _ = queue.apply(
            .report(
                TransportReport(
                    connection, at: now, event: .finished(.alreadyComplete(path: "file"), size: ByteCount(1)))),
            at: now)
        let taken = queue.takeUpdate(at: now)
        let update = try require(taken)
        expectEqual(update.hookCalls.map(\.command), [HookCommand("done")])
        let buffer = UpdateBuffer {}
        buffer.post(update)
        expectEqual(buffer.take()?.hookCalls, [])
    }
}
