import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The summary of a run` {
    @Test func `counts every transfer of a queue`() {
        var run = QueueRun()
        run.add(5)
        run.finish(1, with: 1)
        run.fail(2, .httpStatus(404))
        run.command(.cancel([TransferID(3)]))
        var expected = RunSummary(finished: 1, cancelled: 1, unfinished: 2, failures: [.httpStatus(404)])
        expected.reasons = ["file: 404 not found"]
        expected.unlisted = 1
        expected.folders = Set(run.queue.transfers.prefix(1).map(\.spec.folder))
        expectEqual(RunSummary(run.queue), expected)
    }

    @Test func `tells the complete downloads that a checksum list names`() throws {
        var run = QueueRun()
        run.add(4)
        let checksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        // The name that the server gives the file is in the list.
        run.report(1, .demanded([ExpectedChecksum(checksum, origin: .list)]))
        run.report(2, .demanded([ExpectedChecksum(checksum, origin: .metalink)]))
        run.report(3, .demanded([ExpectedChecksum(checksum, origin: .list)]))
        // A Metalink was followed to the file, and it is in the list as well.
        run.report(4, .demanded([ExpectedChecksum(checksum, origin: .metalink)]))
        let listed = try require(Checksum("md5=" + String(repeating: "2", count: 32)))
        run.report(
            4, .demanded([ExpectedChecksum(listed, origin: .list), ExpectedChecksum(checksum, origin: .metalink)]))
        run.finish(1, with: 1)
        run.finish(2, with: 1)
        run.finish(4, with: 1)
        run.fail(3, .httpStatus(404))
        let summary = RunSummary(run.queue)
        expect((summary.listed, summary.unlisted) == (2, 1))
        expectEqual(summary.listedChecksums, [checksum, listed])
        expectEqual(run.queue[TransferID(4)]?.spec.listedChecksum, listed)
    }
}

@Suite struct `The report at the end of a run` {
    @Test(arguments: [
        (["/data/isos", "/data/isos"], "2 finished in /data/isos"), (["a", "b"], "2 finished in 2 folders"),
        ([".", "."], "2 finished"),
    ])
    func `tells where the complete files are`(folders: [String], words: String) {
        var summary = RunSummary(finished: 2)
        summary.folders = Set(folders)
        expectEqual(summary.words, words)
    }

    @Test func `does not call failed what waits for an answer of the user`() {
        var run = QueueRun()
        run.add(2)
        run.fail(1, .keyLocked("/home/me/.ssh/id_ed25519", isWrong: false))
        run.fail(2, .httpStatus(404))
        var summary = RunSummary(run.queue)
        summary.asking = 1
        expectEqual(summary.words, "1 failed, 1 waits for your answer")
        summary.failures.removeLast()
        summary.reasons.removeLast()
        expectEqual(summary.words, "1 waits for your answer")
        expectEqual(summary.lines({ $0 }, withTotals: false).map { $0.prefix(11) }, ["unanswered:"])
    }

    @Test(
        arguments: [
            (.down, 0, "1 unfinished"), (.down, 10, "1 unfinished, partial files kept"),
            (.up, 10, "1 unfinished, begin again from 0"),
        ] as [(Direction, Int64, String)])
    func `tells what an unfinished transfer keeps`(direction: Direction, bytes: Int64, words: String) throws {
        var run = QueueRun()
        var spec = TransferSpec.sample()
        if direction == .up {
            spec.direction = .up
            spec.upload = UploadOrder(.file("/f"))
        }
        run.add(spec)
        if direction == .up {
            run.report(1, .requested)
            run.report(1, .sent(ByteCount(bytes: bytes), of: ByteCount(1000)))
        } else {
            run.open(1, of: 1000)
            if bytes > 0 { run.report(1, .moving(to: bytes)) }
        }
        expectEqual(RunSummary(run.queue).words, words)
    }

    private func run(failing count: Int) -> QueueRun {
        var run = QueueRun { $0.slots = 32 }
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.add(count + 2)
        for number in 1...count { run.fail(number, .httpStatus(404)) }
        run.open(count + 1, of: 2 << 20)
        run.wait(.seconds(4))
        run.finish(count + 1, with: 2 << 20)
        return run
    }

    @Test func `lists successes and failures with reasons, and how to resume`() {
        let run = run(failing: 2)
        expectEqual(
            RunSummary(run.queue, at: run.now).lines({ "winch \($0) -s" }, withTotals: true),
            [
                "1 finished, 2 failed, 1 unfinished; 2.0 MiB in 4.0 s, 512 KiB/s",
                "failed: file: 404 not found", "failed: file: 404 not found",
                "run `winch  -s` to resume", "`winch history --failed -s` lists everything that failed",
            ])
    }

    /// Without a dashboard a run of them would end as it began.
    @Test func `tells how those are resumed that are paused`() {
        var run = QueueRun()
        run.add(.sample())
        run.command(.pauseAll)
        let words =
            "run `winch ` to resume them in its dashboard, or `winch serve` and `winch resume --all`: they are paused"
        expectEqual(RunSummary(run.queue).lines({ "winch \($0)" }, withTotals: false), [words])
    }

    @Test func `does not refer to the history for what the ledger does not have`() {
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.apply(.added([Addition(spec: .sample(), refusal: .inUse("file", pid: 7))]))
        let lines = RunSummary(run.queue).lines({ "winch \($0)" }, withTotals: false)
        expectEqual(lines, ["failed: file: another winch is at work on file (process 7)"])
    }

    @Test func `names ten failures and the number of the others`() {
        let run = run(failing: 13)
        let lines = RunSummary(run.queue, at: run.now).lines(nil, withTotals: false)
        expectEqual(lines.count, 11)
        expectEqual(lines.last, "and 3 more failed")
    }
}
