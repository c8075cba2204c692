import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchQueue

@Suite struct `A file being verified` {
    private func verifying() -> QueueRun {
        var run = QueueRun()
        run.add(1)
        run.report(1, .requested)
        run.open(1, of: 1000)
        run.report(1, .bodyEnded(size: ByteCount(bytes: 1000)))
        return run
    }

    private func verified(_ run: QueueRun) -> ByteCount? { run.queue[TransferID(1)]?.row(at: run.now).verified }

    @Test func `reports its progress without changing other figures`() {
        var run = verifying()
        expectNil(verified(run))
        let before = run.queue.progress
        run.report(1, .verified(ByteCount(bytes: 400), of: ByteCount(bytes: 1000)))
        expectEqual(verified(run), ByteCount(bytes: 400))
        run.report(1, .verified(ByteCount(bytes: 4000), of: ByteCount(bytes: 1000)))
        expectEqual(verified(run), ByteCount(bytes: 1000))
        expectEqual(run.queue.progress, before)
        expectEqual(run.events, [])
        run.report(1, .finished(.saved(path: "f"), size: ByteCount(bytes: 1000)))
        expectNil(verified(run))
    }

    @Test func `that has the wrong hash counts as complete and starts at zero on a retry`() {
        var run = verifying()
        let kept = ResumePoint(partPath: "f.part", targetPath: "f")
        let wrong = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        run.report(1, .failed(wrong, retryAfter: nil, kept: kept))
        expectEqual(run.queue[TransferID(1)]?.phase, .failed(wrong))
        expectEqual(run.queue[TransferID(1)]?.have, ByteCount(bytes: 1000))
        expectEqual(run.queue[TransferID(1)]?.size.known, ByteCount(bytes: 1000))
        expectEqual(run.bar, "1000/1000")
        run.command(.retry([TransferID(1)]))
        expectEqual(run.bar, "0/1000")
        expectEqual(run.rebases, [.retried])
        expectEqual(run.request?.resume, kept)
        expectNil(RangeRequest(kept))
    }

    @Test func `that has the wrong hash is downloaded again from the next mirror`() throws {
        var run = QueueRun()
        run.add(
            TransferSpec(urls: [try TransferURL("http://a.example/f"), try TransferURL("http://b.example/f")]))
        run.report(1, .requested)
        run.open(1, of: 1000)
        run.report(1, .bodyEnded(size: ByteCount(bytes: 1000)))
        let kept = ResumePoint(partPath: "f.part", targetPath: "f")
        run.report(1, .failed(.checksum(type: "md5", expected: "0", got: "1"), retryAfter: nil, kept: kept))
        expectEqual(run.request?.url.hostAndPort, "b.example")
        expectEqual(run.request?.resume, kept)
    }

    /// The checksum that failed is of an attempt before: what this one had is gone.
    @Test func `that is lost counts as nothing, in the ledger too`() {
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.add(.sample(hosts: ["a", "b"], settings: .sample(maxTries: 1)))
        let wrong = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        for failure in [wrong, .connectionLost("reset")] {
            run.report(1, .requested)
            run.open(1, of: 1000)
            run.report(1, .bodyEnded(size: ByteCount(bytes: 1000)))
            let kept = ResumePoint(partPath: "f.part", targetPath: "f")
            run.report(1, .failed(failure, retryAfter: nil, kept: kept))
        }
        expectEqual(run.phase(1), .failed(wrong))
        expectEqual(run.queue[TransferID(1)]?.have, .zero)
        expectEqual(run.queue[TransferID(1)]?.size, .declared(ByteCount(bytes: 1000)))
        var ledger = LedgerCopy()
        ledger.take(run.queue.takeLedgerChanges(at: run.now, UnixTime(milliseconds: 0), isLast: true))
        expectNil(ledger.compare(with: run.queue, at: run.now))
    }

    @Test func `keeps a warning until another body arrives`() {
        var run = QueueRun()
        run.add(1)
        let warning = TransferWarning.page(expected: ".zip")
        run.report(1, .requested)
        run.report(1, .warned(warning))
        expectNil(run.queue[TransferID(1)]?.warning)
        run.open(1, of: 1000)
        run.report(1, .warned(warning))
        expectEqual(run.queue[TransferID(1)]?.row(at: run.now).warning, warning)
        run.fail(1, kept: 0)
        run.wait(.seconds(100))
        run.report(1, .requested)
        run.open(1, of: 1000)
        expectNil(run.queue[TransferID(1)]?.warning)
    }

    @Test func `shows the gravest of several warnings, whatever their order`() {
        let unknown = TransferWarning.unknownPart("f.part", isContinued: false)
        let orders: [[TransferWarning]] = [
            [unknown, .streamKept, .pageOfFolder], [.pageOfFolder, unknown, .streamKept],
        ]
        for order in orders {
            var run = QueueRun()
            run.add(1)
            run.open(1, of: 1000)
            for warning in order { run.report(1, .warned(warning)) }
            expectEqual(run.queue[TransferID(1)]?.warning, unknown)
            run.report(1, .warned(.page(expected: ".zip")))
            expectEqual(run.queue[TransferID(1)]?.warning, .page(expected: ".zip"))
        }
    }
}
