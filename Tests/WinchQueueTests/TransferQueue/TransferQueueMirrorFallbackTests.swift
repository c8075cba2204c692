import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Mirrors` {
    private static func run(_ hosts: String..., maxTries: Int = 5) -> QueueRun {
        var run = QueueRun()
        run.add(.sample(hosts: hosts, settings: .sample(maxTries: maxTries)))
        return run
    }

    @Test func `are tried in order without a wait`() {
        var run = Self.run("a", "b", "c")
        expectEqual(run.host, "a")
        run.fail(1)
        expectEqual(run.startedFrom, "b")
        run.fail(1)
        expectEqual(run.startedFrom, "c")
        run.fail(1)
        expect(run.backoff(1) != nil)
        run.wait(.seconds(60))
        expectEqual(run.startedFrom, "a")
        run.fail(1)
        expectEqual(run.startedFrom, "b")
    }

    @Test func `that failed permanently are skipped`() {
        var run = Self.run("a", "b", "c")
        run.fail(1, .httpStatus(404))
        run.fail(1)
        run.fail(1, .hostNotFound("c"))
        expect(run.backoff(1) != nil)
        run.wait(.seconds(60))
        expectEqual(run.startedFrom, "b")
        run.fail(1)
        expect(run.backoff(1) != nil)
        run.wait(.seconds(60))
        expectEqual(run.startedFrom, "b")
    }

    @Test func `that have all failed permanently fail the transfer with the last failure`() {
        var run = Self.run("a", "b")
        run.fail(1, .httpStatus(404))
        run.fail(1, .httpStatus(410))
        expectEqual(run.phase(1), .failed(.httpStatus(410)))
        // The user may know better.
        run.command(.retry([TransferID(1)]))
        run.fail(1, .httpStatus(404))
        expect(run.startedFrom == "b" || run.startedFrom == "a")
    }

    @Test(arguments: [TransferFailure.httpStatus(404), .connectionLost("reset")])
    func `that have all failed fail the transfer with the wrong checksum of one of them`(last: TransferFailure) {
        var run = Self.run("a", "b", maxTries: 1)
        run.command(.watch(TransferID(1)))
        let wrong = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        run.fail(1, wrong, kept: 0)
        expectEqual(run.startedFrom, "b")
        run.fail(1, last)
        expectEqual(run.phase(1), .failed(wrong))
        run.queue.feed.noteTotals()
        let attempts = run.queue.takeUpdate(at: run.now)?.details.first?.attempts
        expectEqual(attempts?.map(\.outcome), [.failed(wrong), .failed(last)])
        // What went wrong before counts no more.
        run.command(.retry([TransferID(1)]))
        run.fail(1, .httpStatus(404))
        run.fail(1, .httpStatus(404))
        expectEqual(run.phase(1), .failed(.httpStatus(404)))
    }

    private static func wrong(_ got: String, servers: String? = nil) -> TransferFailure {
        .checksum(type: "md5", expected: "0", got: got, servers: servers)
    }

    @Test func `are not asked further when two servers send the same file with a wrong checksum`() {
        var run = Self.run("a", "b", "c", "d")
        run.fail(1, Self.wrong("1"), kept: 0)
        // One bad mirror says nothing of the others.
        run.fail(1, Self.wrong("2"), kept: 0)
        expectEqual(run.startedFrom, "c")
        run.fail(1, Self.wrong("2"), kept: 0)
        expectEqual(run.phase(1), .failed(Self.wrong("2", servers: "b and c")))
        // The user may know better.
        run.command(.retry([TransferID(1)]))
        run.fail(1, Self.wrong("2"), kept: 0)
        expectEqual(run.phase(1), .active)
    }

    @Test func `are asked further when one has sent only a part of the wrong file`() {
        var run = Self.run("a", "b", "c")
        run.open(1, of: 1000)
        run.move(1, to: 500)
        run.fail(1, .httpStatus(404), kept: 500)
        expectEqual(run.startedFrom, "b")
        run.fail(1, Self.wrong("1"), kept: 0)
        expectEqual(run.startedFrom, "c")
        run.fail(1, Self.wrong("1"), kept: 0)
        expectEqual(run.phase(1), .failed(Self.wrong("1")))
    }

    @Test func `of one server do not confirm each other's file`() {
        var run = Self.run("a", "a", "b")
        run.fail(1, Self.wrong("1"), kept: 0)
        run.fail(1, Self.wrong("1"), kept: 0)
        expectEqual(run.startedFrom, "b")
    }

    @Test func `get one try each, however few tries are allowed`() {
        var run = Self.run("a", "b", "c", maxTries: 1)
        run.fail(1)
        expectEqual(run.startedFrom, "b")
        run.fail(1)
        expectEqual(run.startedFrom, "c")
        run.fail(1)
        expectEqual(run.phase(1), .failed(.connectionLost("reset")))
    }

    @Test(arguments: [TransferFailure.folder(".", reason: "read-only"), .timeLimit(seconds: 1), .nameTaken("x")])
    func `are not changed after a local failure`(failure: TransferFailure) {
        var run = Self.run("a", "b")
        run.fail(1, failure)
        expectEqual(run.phase(1), .failed(failure))
    }

    @Test func `that asked to wait are not tried earlier, even if others were tried meanwhile`() {
        var run = Self.run("a", "b")
        run.fail(1, .httpStatus(503), retryAfter: .seconds(100))
        expectEqual(run.startedFrom, "b")
        run.wait(.seconds(10))
        run.fail(1)
        expectEqual(run.backoff(1), .seconds(90))
    }

    @Test func `are tried with a wait after each round, even if each delivers a little`() {
        var run = Self.run("a", "b")
        for have in [10, 20] as [Int64] {
            run.open(1, at: have - 10, of: 1000)
            run.move(1, to: have)
            run.fail(1, kept: have)
        }
        expect(run.backoff(1) != nil)
    }

    @Test func `use the slots of their own hosts`() {
        var run = QueueRun { $0.perHost = 1 }
        run.add(.sample(hosts: ["a", "b"]), .sample(hosts: ["b"]), .sample(hosts: ["a"]))
        expectEqual(run.running, [1, 2])
        run.fail(1)
        // b is busy with the second; a is free for the third.
        expectEqual(run.phase(1), .waiting)
        expectEqual(run.running, [2, 3])
        run.finish(2, with: 1)
        expectEqual(run.running, [1, 3])
    }
}

extension QueueRun {
    fileprivate var host: String? { queue[TransferID(1)]?.hostAndPort }

    fileprivate var startedFrom: String? { request?.url.hostAndPort }
}
