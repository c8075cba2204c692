import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The time limit` {
    private static let settings: TransferSettings = {
        var settings = TransferSettings()
        settings.maxTime = .seconds(3)
        return settings
    }()

    @Test func `ends a transfer, which fails with what its connection leaves on disk`() {
        var run = QueueRun()
        run.add(1, settings: Self.settings)
        run.open(1, of: 1000)
        run.pass(.seconds(2.9))
        run.move(1, to: 500)
        expectEqual(run.stage(1), .moving)
        run.pass(.seconds(0.2))
        expectEqual(run.queue[TransferID(1)]?.isSettled, false)
        run.report(1, .stopped(kept: .sample(600, of: 1000)))
        let failure = FeedEvent.Kind.failed(.timeLimit(seconds: 3))
        expectEqual(run.events.map(\.kind), [failure, .queueFinished])
        expectEqual(run.events.first?.have, ByteCount(600))
        expectEqual(run.bar, "600/600")
        expectEqual(run.queue[TransferID(1)]?.resume?.have, ByteCount(600))
    }

    @Test(arguments: [true, false])
    func `shows a transfer as being finished, not as waiting, until its connections have answered`(hasPart: Bool) {
        var run = QueueRun()
        run.add(2, settings: Self.settings)
        if hasPart { run.report(1, .verified(ByteCount(10), of: ByteCount(100))) } else { run.open(1, of: 1000) }
        run.pass(.seconds(3.1))
        expectEqual((1...2).map { run.row($0)?.phase }, [.verifying, .verifying])
        let totals = run.queue.totals(at: run.now)
        expect((totals.waiting, totals.active, totals.finishing) == (0, 0, 2))
        run.command(.retry([TransferID(1)]))
        expectEqual(run.row(1)?.phase, .waiting(.slot))
        run.report(2, .stopped(kept: nil))
        expectEqual(run.row(2)?.phase, .failed(.timeLimit(seconds: 3)))
        expectEqual(run.queue.totals(at: run.now).finishing, 0)
    }

    @Test func `is told to no one while its connection closes, in which the user may want something else`() throws {
        let wanted = try TransferURL("http://b/x")
        for command in [Command.pause([TransferID(1)]), .retry([TransferID(1)]), .setURL(TransferID(1), wanted)] {
            var run = QueueRun()
            run.add(1, settings: Self.settings)
            run.pass(.seconds(3.1))
            run.command(command)
            expect(run.events.allSatisfy { $0.kind != .paused })
            run.report(1, .stopped(kept: nil))
            if case .pause = command {
                expectEqual(run.phase(1), .failed(.timeLimit(seconds: 3)), "nothing is paused that has failed")
            } else {
                run.pass(.seconds(1))
                expectEqual(run.stage(1), .connecting, "it has all its time again")
            }
        }
    }

    @Test func `excludes pauses`() {
        var run = QueueRun()
        run.add(1, settings: Self.settings)
        run.pass(.seconds(2))
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        run.pass(.seconds(10))
        run.command(.resumeAll)
        run.pass(.seconds(0.9))
        expectEqual(run.stage(1), .connecting)
        run.pass(.seconds(0.2))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.phase(1), .failed(.timeLimit(seconds: 3)))
    }

    @Test func `excludes the time in which the machine slept`() {
        var run = QueueRun()
        run.add(1, settings: Self.settings)
        run.pass(.seconds(1))
        run.wait(.seconds(3600))
        run.pass(.seconds(1.9))
        expectEqual(run.stage(1), .connecting)
    }

    @Test func `prevents an attempt that would start after it`() {
        var run = QueueRun()
        var settings = Self.settings
        settings.retryWait = .zero
        run.add(1, settings: settings)
        run.fail(1, .httpStatus(503), retryAfter: .seconds(60))
        expectEqual(run.phase(1), .failed(.httpStatus(503)))
    }
}
