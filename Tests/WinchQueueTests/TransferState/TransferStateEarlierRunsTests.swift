import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A queue restored from an earlier run` {
    private static func entry(
        _ standing: LedgerState, have: Int64? = nil, size: SizeKnowledge = .unknown(estimate: .zero),
        key: Int64 = 1, rank: Int = 1 << 30
    ) -> LedgerEntry {
        LedgerEntry(
            key: LedgerKey(key), rank: rank, spec: .sample(), standing: standing, name: "named.iso",
            resume: have.map { .sample($0, of: nil) }, size: size, attempts: 3, received: ByteCount(5000),
            addedAt: UnixTime(milliseconds: 1), startedAt: UnixTime(milliseconds: 2))
    }

    private static func run(_ entries: LedgerEntry..., isHeld: Bool = false) -> QueueRun {
        var run = QueueRun {
            $0.slots = 1
            $0.isHeld = isHeld
        }
        run.queue.keepLedger(from: LedgerKey(100), calendar: .sample)
        run.apply(.added(entries.map { Addition($0) }))
        return run
    }

    /// State, bytes kept, known size; the row's phase, its bar, and its contribution to the queue's.
    @Test(
        arguments: [
            (.unfinished, 400, 1000, "connecting", "400/1000", "400/1000"),
            (.unfinished, 400, nil, "connecting", "400/-", "400/16384 ~"),
            (.unfinished, nil, 1000, "connecting", "0/1000", "0/1000"),
            (.paused, 400, 1000, "paused", "400/1000", "400/1000"),
            (.failed(.httpStatus(404)), 400, 1000, "failed", "400/1000", "400/400"),
            (.cancelled, nil, 1000, "cancelled", "0/1000", "0/0"),
            (.finished(.saved(path: "named.iso")), nil, 1000, "finished", "1000/1000", "1000/1000"),
            // Values that cannot be valid.
            (.unfinished, 400, 300, "connecting", "400/-", "400/16384 ~"),
            (.unfinished, -1, -1, "connecting", "0/-", "0/16384 ~"),
            (.finished(.saved(path: "named.iso")), nil, nil, "finished", "0/0", "0/0"),
        ] as [(LedgerState, Int64?, Int64?, String, String, String)])
    func `shows the previous state before any byte arrives`(
        standing: LedgerState, have: Int64?, size: Int64?, phase: String, bar: String, sums: String
    ) throws {
        let known = size.map { SizeKnowledge.declared(ByteCount($0)) } ?? .unknown(estimate: ByteCount(9))
        let run = Self.run(Self.entry(standing, have: have, size: known))
        let row = try require(run.queue[TransferID(1)]?.row(at: run.now))
        expectEqual(run.outcome(1).split(separator: " ").first.map(String.init), phase)
        expectEqual("\(row.have.bytes)/\(row.size.known.map { "\($0.bytes)" } ?? "-")", bar)
        expectEqual(run.bar, sums)
        expectNil(row.rebase, "no bar moves back")
    }

    /// A run that was killed has not told how its request ended.
    @Test(arguments: [LedgerState.unfinished, .paused])
    func `fails a POST that was under way, and sends it for a command that names it`(standing: LedgerState) throws {
        var entry = Self.entry(standing)
        entry.spec = TransferSpec(
            upload: UploadOrder(.file("/f"), method: .post), to: try TransferURL("http://h/f"))
        var place = UploadPlace(name: "", source: nil)
        place.isUnanswered = true
        entry.resume = ResumePoint(upload: place, have: .zero, total: nil, name: "f")
        expectEqual(Self.run(entry).phase(1), .failed(.unanswered("interrupted")))
        let addition = Addition(entry)
        expect(addition.isPastChanged && addition.followUpEvent == .failed(.unanswered("interrupted")))
        expectNil(Addition(entry, as: .unfinished, spec: entry.spec).resume)
    }

    @Test func `counts a file with a wrong hash as complete and starts over on a retry`() throws {
        let wrong = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        var run = Self.run(Self.entry(.failed(wrong), have: 0, size: .exact(ByteCount(1000))))
        let row = try require(run.queue[TransferID(1)]?.row(at: run.now))
        expect(row.have == ByteCount(1000) && row.size.known == ByteCount(1000))
        expectEqual(run.bar, "1000/1000")
        run.command(.retry([TransferID(1)]))
        expectEqual(run.request?.resume?.have, .zero)
        expectEqual(run.bar, "0/1000")
    }

    @Test func `removes an entry from the ledger once`() {
        var run = Self.run(Self.entry(.failed(.httpStatus(404))))
        run.command(.remove([TransferID(1)]))
        expectEqual(run.changes(isLast: true).removed, [LedgerKey(1)])
        run.command(.restore)
        run.command(.remove([TransferID(1)]))
        expect(run.changes(isLast: true).removed.isEmpty)
        run.command(.restore)
        expectEqual(run.changes(isLast: true).puts.map(\.key), [LedgerKey(1)])
    }

    @Test func `keeps the server's version of a finished file`() {
        var entry = Self.entry(.finished(.saved(path: "named.iso")), size: .exact(ByteCount(1000)))
        entry.validator = .strongETag("\"v\"")
        var run = Self.run(entry)
        run.command(.remove([TransferID(1)]))
        _ = run.changes(isLast: true)
        run.command(.restore)
        expectEqual(run.changes(isLast: true).puts.map(\.validator), [entry.validator])
    }

    @Test func `continues with its part, its name and its attempts`() throws {
        var run = Self.run(Self.entry(.unfinished, have: 400, size: .declared(ByteCount(1000))))
        expectEqual(run.request?.resume?.have, ByteCount(400))
        run.open(1, at: 400, of: 1000)
        run.move(1, to: 600)
        let entry = try require(run.changes(isLast: true).puts.first)
        expectEqual(entry.key, LedgerKey(1))
        expectEqual(entry.attempts, 4)
        expectEqual(entry.received, ByteCount(5200))
        expectEqual(entry.addedAt, UnixTime(milliseconds: 1))
        expectEqual(entry.startedAt, UnixTime(milliseconds: 2))
    }

    @Test func `uses only synced bytes after a reboot`() {
        var entry = Self.entry(.unfinished, have: 900, size: .declared(ByteCount(1000)))
        entry.resume?.durable = ByteRanges(0..<300)
        entry.resume?.isAfterReboot = true
        expectEqual(Self.run(entry).bar, "300/1000")
        entry.resume?.isAfterReboot = false
        expectEqual(Self.run(entry).bar, "900/1000")
    }

    @Test func `writes nothing that the ledger already has`() {
        var run = Self.run(
            Self.entry(.failed(.httpStatus(404)), have: 1), Self.entry(.paused, key: 2, rank: 2 << 30),
            Self.entry(.cancelled, key: 3, rank: 9 << 30))
        expect(run.changes(isLast: true).isEmpty)
        run.add(.sample())
        let new = run.changes().puts
        expectEqual(new.map(\.key), [LedgerKey(100)])
        expect(new.allSatisfy { $0.rank > 9 << 30 })
    }

    @Test func `keeps the given order and writes the ranks that are new`() {
        var run = Self.run(
            Self.entry(.paused, key: 1, rank: 5 << 30), Self.entry(.paused, key: 2, rank: 3 << 30),
            Self.entry(.paused, key: 3, rank: .max))
        expectEqual(run.changes(), [.ranked(LedgerKey(2), 6 << 30), .ranked(LedgerKey(3), 7 << 30)])
    }

    @Test func `reports how each transfer was left, not as a new end`() {
        let standings = [LedgerState.finished(.saved(path: "a")), .failed(.httpStatus(404)), .cancelled]
        let run = Self.run(
            Self.entry(standings[0], size: .exact(ByteCount(10))), Self.entry(standings[1], key: 2),
            Self.entry(standings[2], key: 3))
        let url = TransferSpec.sample().urls[0].text
        let names = ["a", "named.iso", "named.iso"]
        expectEqual(
            run.events.map(\.kind), zip(names, standings).map { .reopened(url: url, name: $0, $1) } + [.queueFinished]
        )
        expectEqual(run.queue.fraction.value, 1)
        expect(run.reported == (10, 10))
    }

    @Test func `waits when everything is to be held`() {
        var run = Self.run(Self.entry(.unfinished, have: 4), isHeld: true)
        expectEqual(run.phase(1), .paused)
        expectEqual(run.changes().puts.map(\.standing), [.paused])
    }

    @Test func `may start at another offset with new options`() throws {
        var settings = TransferSettings()
        settings.maxTries = 9
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(100), calendar: .sample)
        let entry = Self.entry(.failed(.httpStatus(404)), have: 400, size: .declared(ByteCount(1000)))
        run.apply(.added([Addition(entry, as: .unfinished, spec: .sample(settings: settings))]))
        expectEqual(run.started, [1])
        let put = try require(run.changes().puts.first)
        expectEqual(put.key, LedgerKey(1))
        expectEqual(put.standing, .unfinished)
        expectEqual(put.spec.settings.value.maxTries, 9)
    }
}
