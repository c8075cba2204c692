import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// What an upload has at its server, over failures, pauses and runs.
@Suite struct `An upload in the queue` {
    private let source = FileIdentity(device: 1, node: 2, length: 1000, modified: 3)

    private func point(_ have: Int64, name: String = "http://a.example/files/1") -> ResumePoint {
        ResumePoint(
            upload: UploadPlace(name: name, source: source), have: ByteCount(have), total: ByteCount(1000), name: "f")
    }

    private func started() -> QueueRun {
        var run = QueueRun()
        var spec = TransferSpec.sample(direction: .up)
        spec.upload = UploadOrder(.file("/f"))
        run.add(spec)
        run.report(1, .requested)
        return run
    }

    @Test func `goes on when the ledger has its place`() {
        var run = started()
        run.report(1, .placed(point(0), isHeld: true))
        expect(run.actions.contains(.proceed(ConnectionID(transfer: TransferID(1), number: 1))))
        expectEqual(run.queue[TransferID(1)]?.resume, point(0))
        run.report(1, .placed(point(0), isHeld: false))
        expect(!run.actions.contains { if case .proceed = $0 { true } else { false } })
    }

    @Test func `is tried again with what the server has, and falls back to that`() {
        var run = started()
        run.report(1, .placed(point(0), isHeld: false))
        run.report(1, .sent(ByteCount(600), of: ByteCount(1000)))
        expectEqual(run.uploadBar, "600/1000")
        run.report(1, .failed(.connectionLost("reset"), retryAfter: nil, kept: point(600)))
        expectEqual(run.queue[TransferID(1)]?.resume, point(600))
        run.wait(.seconds(2))
        run.report(1, .unsent(downTo: ByteCount(400)))
        expectEqual(run.uploadBar, "400/1000")
        expectEqual(run.rebases, [.sentAgain])
        expectEqual(run.queue[TransferID(1)]?.resume, point(400))
    }

    @Test func `counts all that was sent, also before the first report and after the last`() {
        var run = started()
        run.report(1, .placed(point(100), isHeld: false))
        run.report(1, .sent(ByteCount(400), of: ByteCount(1000)))
        run.report(1, .sent(ByteCount(600), of: ByteCount(1000)))
        run.report(1, .bodyEnded(size: ByteCount(1000)))
        expectEqual(run.queue.totals(at: run.now).fetched, 900)
    }

    @Test func `keeps the version of its source when it is done`() {
        var run = started()
        run.report(1, .placed(point(0, name: ""), isHeld: false))
        run.report(1, .bodyEnded(size: ByteCount(1000)))
        run.report(1, .finished(.sent(path: "f"), size: ByteCount(1000)))
        expectEqual(run.queue[TransferID(1)]?.resume?.upload?.source, source)
    }

    @Test func `has what it left at the server removed when it is cancelled`() {
        var run = started()
        run.report(1, .placed(point(0), isHeld: false))
        run.report(1, .sent(ByteCount(600), of: ByteCount(1000)))
        run.command(.cancel([TransferID(1)]))
        var actions = run.actions
        run.report(1, .stopped(kept: point(600)))
        actions += run.actions
        run.wait(.seconds(60))
        actions += run.actions
        expect(
            actions.contains { if case .withdraw(let request) = $0 { request.resume == point(600) } else { false } })
        expect(!actions.contains { if case .discard = $0 { true } else { false } })
    }

    /// The message comes after the last attempt to remove it.
    @Test func `says what it has left at the server after it has ended`() {
        var run = started()
        run.report(1, .placed(point(0), isHeld: false))
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: point(600)))
        let warning = TransferWarning.leftAtServer("http://a.example/files/1")
        run.report(1, .warned(warning), of: ConnectionID(transfer: TransferID(1)))
        expectEqual(run.events.map(\.kind), [.warned(warning)])
        expectEqual(run.phase(1), .cancelled)
        expectEqual(run.queue.ignored, 0)
    }

    /// A program that writes to a FIFO would wait for ever.
    @Test func `is read no further when it has failed for good, and keeps what the server has`() {
        var run = started()
        run.report(1, .failed(.connectionLost("reset"), retryAfter: nil, kept: point(600)))
        expect(!run.actions.contains { if case .withdraw = $0 { true } else { false } })
        run.wait(.seconds(10))
        run.report(1, .failed(.httpStatus(403), retryAfter: nil, kept: point(600)))
        expectEqual(run.phase(1), .failed(.httpStatus(403)))
        expect(run.actions.contains { if case .withdraw(let request) = $0 { request.resume == nil } else { false } })
        expectEqual(run.queue[TransferID(1)]?.resume, point(600))
    }

    /// How a connection is closed before the answer.
    enum Interruption: CaseIterable { case paused, pausedAndResumed, quit }

    @Test(arguments: Interruption.allCases, [true, false])
    func `by POST fails when it is interrupted after it was sent`(interruption: Interruption, isSent: Bool) {
        var run = QueueRun()
        var spec = TransferSpec.sample(direction: .up)
        spec.upload = UploadOrder(.file("/f"), method: .post)
        run.add(spec)
        let begun = point(0, name: "")
        var unanswered = begun
        unanswered.upload?.isUnanswered = true
        run.report(1, .placed(unanswered, isHeld: true))
        expect(run.actions.contains(.proceed(ConnectionID(transfer: TransferID(1), number: 1))))
        switch interruption {
        case .paused: run.command(.pauseAll)
        case .pausedAndResumed:
            run.command(.pauseAll)
            run.command(.resumeAll)
        case .quit: run.command(.quit)
        }
        run.report(1, .stopped(kept: isSent ? unanswered : begun))
        expectEqual(run.queue[TransferID(1)]?.isSettled, isSent)
        if isSent { expectEqual(run.phase(1), .failed(.unanswered("interrupted"))) }
        expectNil(run.queue[TransferID(1)]?.resume?.unanswered)
    }

    /// The refusal and the user's pause cross.
    @Test(arguments: [(503, false), (500, true)])
    func `by POST that is refused while it is paused goes on if it may be repeated`(status: Int, isFailed: Bool) {
        var run = QueueRun()
        var spec = TransferSpec.sample(direction: .up)
        spec.upload = UploadOrder(.file("/f"), method: .post)
        run.add(spec)
        var unanswered = point(0, name: "")
        unanswered.upload?.isUnanswered = true
        run.report(1, .placed(unanswered, isHeld: true))
        run.command(.pauseAll)
        run.report(1, .failed(.httpStatus(status), retryAfter: nil, kept: nil))
        expectEqual(run.phase(1), isFailed ? .failed(.httpStatus(status)) : .paused)
        expectNil(run.queue[TransferID(1)]?.resume?.unanswered)
    }

    /// How an upload gets into a queue that has another one to the same URL.
    enum Entrance: CaseIterable { case added, reopened, retried, retriedWithAll, retriedAfterCancel }

    private static func upload(_ file: String) throws -> TransferSpec {
        TransferSpec(upload: UploadOrder(.file(file)), to: try TransferURL("http://h/f"))
    }

    private static func entry(_ file: String, _ standing: LedgerState) throws -> LedgerEntry {
        LedgerEntry(
            key: LedgerKey(1), rank: 1 << 30, spec: try upload(file), standing: standing, name: file,
            addedAt: UnixTime(milliseconds: 1))
    }

    @Test(arguments: Entrance.allCases)
    func `is not sent while another one that replaces the same file is not settled`(entrance: Entrance) throws {
        var run = QueueRun()
        let (first, second) = (try Self.upload("a"), try Self.upload("b"))
        var (sent, refused) = (1, 2)
        switch entrance {
        case .added: run.add(first, second)
        case .reopened:
            run.apply(.added([Addition(spec: first), Addition(try Self.entry("b", .unfinished))]))
        case .retried, .retriedWithAll, .retriedAfterCancel:
            (sent, refused) = (2, 1)
            run.add(second)
            if entrance == .retriedAfterCancel {
                run.command(.cancel([TransferID(1)]))
                run.report(1, .stopped(kept: nil))
            } else {
                run.fail(1, .httpStatus(404))
            }
            run.add(first)
            run.command(entrance == .retriedWithAll ? .retryFailed : .retry([TransferID(1)]))
        }
        let words = "b and a both go to http://h/f; give each a URL of its own"
        // A cancelled one has not failed.
        let isCancelled = entrance == .retriedAfterCancel
        expectEqual(run.phase(refused), isCancelled ? .cancelled : .failed(.other(words)))
        let kind: FeedEvent.Kind = isCancelled ? .warned(.notSentAgain(reason: words)) : .failed(.other(words))
        expectEqual(run.events.filter { $0.kind == kind }.map(\.id), [TransferID(refused)])
        expectEqual(run.running, [sent])
        run.command(.cancel([TransferID(sent)]))
        run.report(sent, .stopped(kept: nil))
        run.command(.retry([TransferID(refused)]))
        expectEqual(run.queue[TransferID(refused)]?.isSettled, false)
        expectNil(run.queue[TransferID(refused)]?.warning)
    }

    /// Its connection may still write to the file.
    @Test func `that is cancelled keeps others from its URL until its connection has closed`() throws {
        var run = QueueRun()
        let (first, second) = (try Self.upload("a"), try Self.upload("b"))
        run.add(first)
        run.command(.cancel([TransferID(1)]))
        expectEqual(run.name(all: [second]).count, 1)
        expectEqual(run.name(all: [first]), [], "it is not in its own way")
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.name(all: [second]), [])
        expectEqual(run.running, [2])
    }

    @Test func `that an earlier run has finished keeps no other from its URL`() throws {
        var run = QueueRun()
        let ended = LedgerState.finished(.sent(path: "f"))
        run.apply(.added([Addition(try Self.entry("b", ended)), Addition(spec: try Self.upload("a"))]))
        expectEqual(run.running, [2])
        run.apply(.added([Addition(try Self.entry("c", ended))]))
        expectEqual(run.phase(3), .finished(.sent(path: "f")))
    }

    /// A server that names mirrors of a file does not name places to send it to.
    @Test func `takes no mirrors from its server`() {
        var run = started()
        let mirror = TransferURL.samples["b.example"].map { [$0] } ?? []
        run.report(1, .mirrors(mirror, metalink: nil))
        expectEqual(run.queue[TransferID(1)]?.spec.urls.count, 1)
        expectEqual(run.queue.ignored, 1)
    }

    /// A request that may have had its effect is not made twice.
    @Test(arguments: [
        (TransferFailure.connectionLost("reset"), false), (.httpStatus(500), false), (.httpStatus(503), true),
        (.httpStatus(429), true), (.stalled(seconds: 30), false), (.connectTimeout(host: "h", seconds: 15), true),
    ])
    func `by POST is repeated only when the server has not taken it`(failure: TransferFailure, isRepeated: Bool) {
        var attempt = RetryPolicy.Attempt(failure)
        attempt.isSentOnce = true
        let treatment = RetryPolicy.treatment(of: attempt, retryWait: .seconds(1))
        if case .never(let reason) = treatment {
            expect(!isRepeated)
            if case .httpStatus = failure {
                expectEqual(reason, failure)
            } else {
                expectEqual(reason, .unanswered(failure.message))
            }
        } else {
            expect(isRepeated)
        }
    }
}
