import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Stored details of a transfer` {
    private static let noon = UnixTime(milliseconds: 1_000_000_000)
    private static let facts = ConnectionFacts(
        address: "192.0.2.7", port: 80, protocolName: "HTTP/1.1", status: 503, validator: .strongETag("\"x\""))

    private static func run() -> QueueRun {
        var run = QueueRun { $0.slots = 1 }
        run.queue.keepLedger(from: LedgerKey(7), calendar: CalendarConversion(run.now, is: noon))
        run.add(1)
        return run
    }

    /// What the ledger has of the first transfer at the end.
    private static func kept(_ run: inout QueueRun) -> StoredDetails? {
        take(&run).reduce(nil) { kept, next in
            var kept = kept ?? StoredDetails()
            kept.merge(next)
            return kept
        }
    }

    private static func take(_ run: inout QueueRun) -> [StoredDetails] {
        // The calendar advances with the clock.
        let date = UnixTime(
            milliseconds: noon.milliseconds + Int64((run.now - QueueRun().now).seconds * 1000))
        return run.queue.takeLedgerChanges(at: run.now, date, isLast: true).compactMap { change in
            if case .detailed(_, let details) = change { details } else { nil }
        }
    }

    @Test func `are not written for a small file that arrives in one attempt`() {
        var run = Self.run()
        run.report(1, .connected(Self.facts))
        run.open(1, of: 4096)
        expect(Self.take(&run).isEmpty)
        run.finish(1, with: 4096)
        expect(Self.take(&run).isEmpty)
    }

    @Test func `are written for a large file when it begins and when it is finished`() throws {
        var run = Self.run()
        run.report(1, .connected(Self.facts))
        run.open(1, of: 100_000_000)
        let begun = try require(Self.kept(&run))
        expectEqual(begun.facts, Self.facts)
        expectEqual(begun.attempts.map(\.outcome), [.running])
        run.finish(1, with: 100_000_000)
        expectEqual(Self.kept(&run)?.attempts.map(\.outcome), [.complete])
        expect(Self.take(&run).isEmpty)
    }

    @Test func `record failed attempts with dates, each once`() throws {
        var run = Self.run()
        run.open(1, of: 1000)
        run.move(1, to: 300)
        run.now = run.now + .seconds(2)
        run.fail(1, .httpStatus(503), kept: 300)
        let first = try require(Self.kept(&run)).attempts
        expectEqual(first.map(\.number), [1])
        expectEqual(first[0].began, Self.noon)
        expectEqual(first[0].ended, UnixTime(milliseconds: Self.noon.milliseconds + 2000))
        expectEqual(first[0].outcome, .failed(.httpStatus(503)))
        run.wait(.seconds(61))
        run.open(1, at: 300, of: 1000, status: 206)
        run.fail(1, .httpStatus(404))
        expectEqual(Self.kept(&run)?.attempts.map(\.number), [2])
    }

    @Test func `contain no secret from the URL of a redirect`() {
        var run = Self.run()
        run.report(1, .redirected("https://b.example/there?signature=s3cret"))
        run.report(1, .connected(Self.facts))
        run.fail(1, .httpStatus(404))
        expectEqual(Self.kept(&run)?.location, "https://b.example/there")
    }

    @Test func `record that the end of the run interrupted an attempt`() {
        var run = Self.run()
        run.open(1, of: 100_000_000)
        run.move(1, to: 500)
        run.command(.quit)
        run.report(1, .stopped(kept: .sample(700, of: 100_000_000)))
        let attempts = Self.kept(&run)?.attempts
        expectEqual(attempts?.map(\.outcome), [.interrupted])
        expectEqual(attempts?.map(\.have), [ByteCount(700)])
    }

    // MARK: - In the next run

    private static func reopened(_ standing: LedgerState, attempts: Int, have: Int64 = 0) -> QueueRun {
        var run = QueueRun { $0.slots = 1 }
        run.queue.keepLedger(from: LedgerKey(100), calendar: CalendarConversion(run.now, is: noon))
        let hour = UnixTime(milliseconds: noon.milliseconds - 3_600_000)
        run.apply(
            .added([
                Addition(
                    LedgerEntry(
                        key: LedgerKey(7), rank: 1 << 30, spec: .sample(), standing: standing, name: "f",
                        size: .exact(ByteCount(have)), attempts: attempts, received: ByteCount(have), addedAt: hour,
                        startedAt: hour, settledAt: hour, worked: .seconds(3), warning: .page(expected: ".zip")))
            ]))
        return run
    }

    private static func details(_ run: inout QueueRun) -> TransferDetails? {
        run.queue.feed.noteTotals()
        return run.queue.takeUpdate(at: run.now)?.details.first
    }

    private static let earlier = StoredDetails(
        attempts: [
            StoredAttempt(
                number: 1, host: "a.example", began: UnixTime(milliseconds: noon.milliseconds - 60_000),
                ended: UnixTime(milliseconds: noon.milliseconds - 50_000), have: ByteCount(10),
                outcome: .failed(.httpStatus(503))),
            StoredAttempt(
                number: 2, host: "a.example", began: UnixTime(milliseconds: noon.milliseconds - 40_000),
                from: ByteCount(10), outcome: .running),
        ], location: "http://b.example/there", facts: facts)

    @Test func `are requested from the ledger when they are shown, and completed by what has happened since`() throws {
        var run = Self.reopened(.failed(.httpStatus(503)), attempts: 2)
        expectEqual(run.queue[TransferID(1)]?.warning, .page(expected: ".zip"))
        run.command(.watch(TransferID(1)))
        expectEqual(run.actions, [.recall(TransferID(1), LedgerKey(7))])
        expectEqual(Self.details(&run)?.forgottenAttempts, 2)
        run.apply(.recalled(TransferID(1), Self.earlier))
        let reported = try require(Self.details(&run))
        expectEqual(reported.attempts.map(\.number), [1, 2])
        expectEqual(reported.attempts[0].began, run.now + .seconds(-60))
        expectEqual(reported.attempts[0].ended, run.now + .seconds(-50))
        expectEqual(reported.attempts[1].outcome, .interrupted)
        expectNil(reported.attempts[1].ended)
        expectEqual(reported.facts, Self.facts)
        expectEqual(reported.location, "http://b.example/there")
        expectEqual(reported.forgottenAttempts, 0)

        run.command(.retry([TransferID(1)]))
        run.open(1, of: 1000)
        let again = try require(Self.details(&run))
        expectEqual(again.attempts.map(\.number), [1, 2, 3])
        expectEqual(again.attempts.map(\.outcome).last, .running)
    }

    @Test func `are ignored for a transfer that is no longer watched`() {
        var run = Self.reopened(.failed(.httpStatus(503)), attempts: 2)
        run.command(.watch(TransferID(1)))
        run.command(.watch(nil))
        let ignored = run.queue.ignored
        run.apply(.recalled(TransferID(1), Self.earlier))
        expectEqual(run.queue.ignored, ignored + 1)
        expect(run.queue.detailsStore.watched.isEmpty)
    }

    @Test func `are not requested before the first attempt, nor without a ledger`() {
        var run = Self.reopened(.paused, attempts: 0)
        run.command(.watch(TransferID(1)))
        expectEqual(run.actions, [])
        var ephemeral = QueueRun()
        ephemeral.add(1)
        ephemeral.command(.watch(TransferID(1)))
        expectEqual(ephemeral.actions, [])
    }

    @Test func `are derived from the dates of a file that arrived in one attempt`() {
        var run = Self.reopened(.finished(.saved(path: "f")), attempts: 1, have: 4096)
        run.command(.watch(TransferID(1)))
        let began = run.now + .seconds(-3600)
        expectEqual(
            Self.details(&run)?.attempts,
            [
                AttemptRecord(
                    number: 1, host: "a.example", began: began, ended: began + .seconds(3), have: ByteCount(4096),
                    outcome: .complete)
            ])
    }

    @Test func `include the working time without pauses and without the time between runs`() throws {
        var run = Self.reopened(.failed(.httpStatus(503)), attempts: 2)
        run.now = run.now + .seconds(500)
        run.command(.retry([TransferID(1)]))
        run.open(1, of: 1000)
        run.now = run.now + .seconds(4)
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: .sample(400, of: 1000)))
        run.now = run.now + .seconds(60)
        run.command(.resume([TransferID(1)]))
        run.now = run.now + .seconds(2)
        run.fail(1, .httpStatus(404))
        run.command(.retry([TransferID(1)]))
        run.now = run.now + .seconds(1)
        run.fail(1, .httpStatus(404))
        let changes = run.queue.takeLedgerChanges(at: run.now, Self.noon, isLast: true)
        let entry = try require(changes.puts.first)
        expectEqual(entry.worked, .seconds(3 + 4 + 2 + 1))
    }

    @Test func `include the working time of a finished transfer`() throws {
        var run = Self.run()
        run.open(1, of: 1000)
        run.now = run.now + .seconds(4)
        run.report(1, .bodyEnded(size: ByteCount(1000)))
        // It waits for the disk, not for the network.
        run.now = run.now + .seconds(2)
        run.report(1, .finished(.saved(path: "f"), size: ByteCount(1000)))
        let changes = run.queue.takeLedgerChanges(at: run.now, Self.noon, isLast: true)
        try expectEqual(require(changes.puts.first).worked, .seconds(4))
    }
}
