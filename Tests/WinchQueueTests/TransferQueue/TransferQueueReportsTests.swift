import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Every report in every phase.
@Suite struct `A report` {
    private static let reports: [TransportEvent] = [
        .requested, .redirected("http://b.example/"), .opening(of: 1000), .moving(to: 600),
        .moving(to: 1600), .bodyEnded(size: ByteCount(1000)),
        .finished(.saved(path: "f"), size: ByteCount(1000)),
        .failed(.connectionLost("reset"), retryAfter: nil, kept: .sample(500, of: 1000)),
        .failed(.httpStatus(404), retryAfter: nil, kept: nil), .stopped(kept: .sample(700, of: 1000)),
    ]

    /// In the order of `reports`; `-`: late, changes nothing, as all reports do in phases that are not listed.
    private static let table: [PreparedTransfer: [String]] = [
        .connecting: [
            "requested", "connecting", "moving", "-", "-", "verifying", "finished", "backoff", "failed", "-",
        ],
        .requested: ["-", "requested", "moving", "-", "-", "verifying", "finished", "backoff", "failed", "-"],
        .moving: ["-", "-", "-", "moving", "moving", "verifying", "finished", "backoff", "failed", "-"],
        .verifying: ["-", "-", "-", "-", "-", "-", "finished", "backoff", "failed", "-"],
        .cancelling: [
            "-", "-", "-", "-", "-", "-", "finished", "cancelled discard", "cancelled", "cancelled discard",
        ],
        .closing: ["-", "-", "-", "-", "-", "-", "finished", "paused", "paused", "paused"],
        .reopening: [
            "-", "-", "-", "-", "-", "-", "finished", "connecting start", "connecting start", "connecting start",
        ],
        .dropped: [
            "-", "-", "-", "-", "-", "-", "finished", "cancelled discard", "cancelled", "cancelled discard",
        ],
    ]

    @Test(arguments: PreparedTransfer.allCases)
    func `has the effect listed in the table in each phase, and none when it is late`(prepared: PreparedTransfer) {
        let table = Self.table[prepared] ?? Array(repeating: "-", count: Self.reports.count)
        for (report, expected) in zip(Self.reports, table) {
            var run = prepared.run
            let before = (run.queue.progress, run.phase(prepared.number), run.queue.ignored)
            run.report(prepared.number, report)
            if expected == "-" {
                expectEqual(run.queue.progress, before.0, "\(prepared) \(report)")
                expectEqual(run.phase(prepared.number), before.1, "\(prepared) \(report)")
                expectEqual(run.queue.ignored, before.2 + 1, "\(prepared) \(report)")
                expect(run.actions == [] && run.events == [], "\(prepared) \(report)")
            } else {
                expectEqual(run.outcome(prepared.number), expected, "\(prepared) \(report)")
                expectEqual(run.queue.ignored, before.2)
            }
        }
    }

    @Test(arguments: PreparedTransfer.allCases)
    func `of an earlier attempt has no effect`(prepared: PreparedTransfer) {
        for report in Self.reports {
            var run = prepared.run
            let before = (run.queue.progress, run.phase(prepared.number))
            run.report(
                prepared.number, report, of: ConnectionID(transfer: TransferID(prepared.number), epoch: 7, number: 1))
            expectEqual(run.queue.progress, before.0)
            expectEqual(run.phase(prepared.number), before.1, "\(prepared) \(report)")
        }
    }

    @Test(arguments: [
        TransportEvent.moving(to: -1), .bodyEnded(size: ByteCount(-1)), .moving(to: .min),
        .failed(.httpStatus(500), retryAfter: nil, kept: .sample(-5, of: nil)), .moving(to: 499),
        .moving(to: 500),
    ])
    func `of a negative or unchanged number is ignored`(event: TransportEvent) {
        var run = PreparedTransfer.moving.run
        run.report(1, event)
        expectEqual(run.queue.ignored, 1)
        expectEqual(run.stage(1), .moving)
        expectEqual(run.queue.progress.completed, 500)
        expectNil(run.queue.takeUpdate(at: run.now))
    }

    @Test func `of bytes adds those that it names`() {
        var run = PreparedTransfer.moving.run
        run.report(1, .moved(400..<600, of: 0..<1000))
        expectEqual(run.queue.progress.completed, 600)
        run.report(1, .moved(700..<800, of: 0..<1000))
        expectEqual(run.queue[TransferID(1)]?.resume?.onDisk, ByteRanges([0..<600, 700..<800]))
        expectEqual(run.queue.progress.completed, 700)
    }
}

/// The last report of a transfer that was stopped.
@Suite struct `A closed connection` {
    @Test func `reports the bytes on disk, and the next attempt resumes from there`() {
        var run = PreparedTransfer.closing.run
        run.command(.resume([TransferID(1)]))
        expectEqual(run.started, [])
        run.report(1, .stopped(kept: .sample(700, of: 1000)))
        expectEqual(run.started, [1])
        expectEqual(run.queue.progress.completed, 700)
        expectEqual(run.request?.resume, .sample(700, of: 1000))
        expectEqual(run.request?.connection, .sample(1, 2))
    }

    @Test func `may report that nothing is left`() {
        var run = PreparedTransfer.closing.run
        run.report(1, .stopped(kept: nil))
        expectEqual(run.queue.progress.completed, 0)
        expectEqual(run.rebases, [.lostOnRetry])
        expectNil(run.queue[TransferID(1)]?.resume)
    }

    @Test func `does not affect a part that it had not opened`() {
        var run = QueueRun()
        run.add(kept: 400, of: 1000)
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.bar, "400/1000")
        expectEqual(run.queue[TransferID(1)]?.resume, .sample(400, of: 1000))
    }

    @Test(arguments: [false, true])
    func `leads to the removal of its part when the transfer was cancelled meanwhile, retried or not`(isRetried: Bool) {
        var run = PreparedTransfer.closing.run
        run.command(.cancel([TransferID(1)]))
        expectEqual(run.actions, [])
        if isRetried { run.command(.retry([TransferID(1)])) }
        expectEqual(run.started, [])
        run.report(1, .stopped(kept: .sample(700, of: 1000)))
        let removal = QueueAction.discard(
            TransferID(1), .sample(700, of: 1000), folder: ".", namedParts: 0,
            addresses: Array(TransferSpec.sample().urls))
        expectEqual(run.actions.first, removal)
        expect(run.actions.count == (isRetried ? 2 : 1))
        expect(run.started == (isRetried ? [1] : []))
        expectNil(run.request?.resume)
        if isRetried { expectEqual(run.bar, "0/1") } else { expectEqual(run.phase(1), .cancelled) }
    }
}
