import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `In the changes for a ledger` {
    private static let noon = UnixTime(milliseconds: 1_000_000)

    private static func run(_ count: Int = 1) -> QueueRun {
        var run = QueueRun {
            $0.slots = 1
            $0.mode = .simple
        }
        run.queue.keepLedger(from: LedgerKey(7), calendar: .sample)
        run.add(count)
        return run
    }

    @Test func `nothing is collected when there is no ledger`() {
        var run = QueueRun()
        run.add(3)
        run.open(1, of: 5000)
        run.move(1, to: 900)
        expect(run.changes(isLast: true).isEmpty)
        expectNil(run.queue.nextLedgerWrite(after: run.now))
    }

    /// Its part is of another file, or gone, unless the transfer goes on with it.
    @Test(
        arguments: [
            ("file.part", 500, [1]), ("file.part", 0, []), ("old.part", 500, []),
        ] as [(String, Int64, [Int64])])
    func `an entry is removed whose part a transfer with another query goes on with`(
        part: String, offset: Int64, removed: [Int64]
    ) {
        var run = Self.run(0)
        var kept = ResumePoint.sample(500, of: 1000)
        kept.partPath = part
        var addition = Addition(spec: .sample())
        addition.otherQuery = LedgerEntry(
            key: LedgerKey(1), rank: 1, spec: .sample(), standing: .unfinished, name: "file", resume: kept,
            addedAt: Self.noon)
        run.apply(.added([addition]))
        run.open(1, at: offset, of: 1000)
        expectEqual(run.changes(isLast: true).removed.map(\.number), removed)
        // Only the first answer tells.
        run.fail(1, kept: 600)
        run.wait(.seconds(60))
        run.open(1, at: 600, of: 1000)
        expectEqual(run.changes(isLast: true).removed, [])
    }

    /// A run beside a session was interrupted, and the session has the file by now.
    @Test func `an entry that another run has left is removed if its file is in the list`() throws {
        let upload = TransferSpec(upload: UploadOrder(.file("a")), to: try TransferURL("http://h/f"))
        var summed = TransferSpec.sample()
        summed.listedChecksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        var run = Self.run(0)
        run.add(.sample(), upload)
        let left = [.sample(), upload, .sample(hosts: ["b.example"]), summed] as [TransferSpec]
        run.apply(
            .takenOver(
                left.enumerated().map { index, spec in
                    Addition(
                        LedgerEntry(
                            key: LedgerKey(Int64(index)), rank: 1, spec: spec, standing: .unfinished, name: "file",
                            addedAt: Self.noon))
                }))
        expectEqual(run.queue.order.count, 4, "one demands a checksum")
        expectEqual(run.changes(isLast: true).removed.map(\.number), [0, 1])
    }

    @Test func `a transfer is included when it is added, with a key of its own`() throws {
        var run = Self.run(2)
        let entries = run.changes().puts
        expectEqual(entries.map(\.key), [LedgerKey(7), LedgerKey(8)])
        expectEqual(entries.map(\.standing), [.unfinished, .unfinished])
        let first = try require(entries.first)
        expectEqual(first.spec.urls.map(\.text), ["http://a.example/file"])
        expectEqual(first.addedAt, Self.noon)
        expectEqual(first.attempts, 1)
        expect(run.changes().isEmpty, "told once")
    }

    /// Each step with what is written at once.
    @Test(arguments: [
        ("pause", "paused"), ("cancel", "cancelled"), ("fail", "failed"), ("finish", "finished"),
        ("open", "unfinished"), ("move", ""), ("open a small one", ""), ("a redirect", ""), ("a retry", ""),
    ])
    func `a change of state is included at once, and less important ones are not`(step: String, reported: String) {
        var run = Self.run()
        if !step.hasPrefix("open") { run.open(1, of: 100_000_000) }
        _ = run.changes()
        switch step {
        case "pause": run.command(.pause([TransferID(1)]))
        case "cancel": run.command(.cancel([TransferID(1)]))
        case "fail": run.fail(1, .httpStatus(404))
        case "finish": run.finish(1, with: 900)
        case "open": run.open(1, of: 100_000_000)
        case "open a small one": run.open(1, of: 4096)
        case "a redirect": run.report(1, .redirected("http://b.example/"))
        case "a retry": run.fail(1, kept: 500)
        default: run.move(1, to: 900)
        }
        expectEqual(run.changes(after: PendingLedgerChanges.pause).puts.map(\.standing.word).joined(), reported)
    }

    @Test func `the hashes that a server's Metalink names are included at once`() throws {
        var run = Self.run()
        run.open(1, of: 100_000_000)
        _ = run.changes()
        let checksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        let pieces = PieceHashes(
            length: ByteCount(100_000_000), algorithm: .md5, digests: Array(repeating: 1, count: 16))
        run.report(1, .demanded([ExpectedChecksum(checksum, origin: .metalink)], pieces: pieces))
        let spec = try require(run.changes(after: PendingLedgerChanges.pause).puts.first).spec
        expectEqual(spec.listedChecksum, checksum)
        expectEqual(spec.listedOrigin, .metalink)
        expectEqual(spec.pieces, pieces)
    }

    /// By its time a listing tells that itself, and a file that is no part of a tree is not asked for again.
    @Test(arguments: [(1, nil, true), (1, 5, false), (0, nil, false)] as [(Int, Int64?, Bool)])
    func `the version of a finished file is included where only the server tells whether it has changed`(
        namedParts: Int, listed: Int64?, isIncluded: Bool
    ) {
        var run = Self.run(0)
        var spec = TransferSpec.sample()
        spec.namedParts = namedParts
        spec.listedVersion = listed.map {
            ListedVersion(time: ListedTime(seconds: $0, precision: .minute, isZoned: false))
        }
        run.add(spec)
        guard case .opened(var opening) = TransportEvent.opening(of: 900) else { return }
        opening.part.validator = .lastModified("Fri, 05 Jan 2024 12:34:56 GMT")
        run.report(1, .opened(opening))
        run.finish(1, with: 900)
        let entry = run.changes(isLast: true).puts.last
        expectEqual(entry?.standing, .finished(.saved(path: "file")))
        expectEqual(entry?.validator, isIncluded ? opening.part.validator : nil)
    }

    @Test func `the version of a file that the server has not changed is included again`() {
        var run = Self.run(0)
        run.add(.finishedBefore)
        expectEqual(run.request?.finishedFile, TransferSpec.finishedBefore.finishedFile)
        run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(900)))
        expectEqual(run.changes(isLast: true).puts.last?.validator, .strongETag("\"v\""))
        expectNil(run.queue[TransferID(1)]?.spec.finishedFile)
    }

    @Test func `bytes are included once a second`() {
        var run = Self.run()
        run.open(1, of: 100_000_000)
        _ = run.changes()
        var reported: [LedgerChange] = []
        for tenth in 1...20 {
            run.wait(.milliseconds(100))
            run.move(1, to: Int64(tenth) * 1000)
            if tenth == 5 { run.report(1, .durable(ByteRanges(0..<3000))) }
            reported += run.changes()
        }
        expectEqual(
            reported,
            [
                .advanced(
                    LedgerKey(7), onDisk: ByteRanges(0..<11_000), durable: ByteRanges(0..<3000),
                    received: ByteCount(11_000)
                )
            ])
        expectEqual(run.queue.nextLedgerWrite(after: run.now).map { $0 - run.now }, .milliseconds(200))
        // The remaining bytes, due or not.
        expectEqual(
            run.changes(isLast: true),
            [
                .advanced(
                    LedgerKey(7), onDisk: ByteRanges(0..<20_000), durable: ByteRanges(0..<3000),
                    received: ByteCount(20_000)
                )
            ])
    }

    @Test func `many changes of state are included ten times a second`() {
        var run = Self.run(2)
        _ = run.changes()
        run.command(.pause([TransferID(1)]))
        expectEqual(run.changes(after: .milliseconds(40)), [])
        run.command(.pause([TransferID(2)]))
        expectEqual(run.queue.nextLedgerWrite(after: run.now), run.now + PendingLedgerChanges.pause)
        expectEqual(run.changes(after: PendingLedgerChanges.pause).puts.map(\.standing), [.paused, .paused])
    }

    @Test func `a complete entry includes the bytes`() {
        var run = Self.run()
        run.open(1, of: 100_000_000)
        run.move(1, to: 900)
        let entries = run.changes().puts
        expectEqual(entries.map(\.resume?.have), [ByteCount(900)])
        expectNil(run.queue.nextLedgerWrite(after: run.now))
    }

    @Test func `an outcome and its time are included, and reset by a retry`() throws {
        var run = Self.run()
        run.open(1, of: 1000)
        run.move(1, to: 400)
        run.fail(1, .httpStatus(404), kept: 400)
        let failed = try require(run.changes().puts.first)
        expectEqual(failed.standing, .failed(.httpStatus(404)))
        expect((failed.startedAt, failed.settledAt) == (Self.noon, Self.noon))
        expectEqual(failed.resume?.have, ByteCount(400))
        expectEqual(failed.received, ByteCount(400))
        run.command(.retry([TransferID(1)]))
        let again = try require(run.changes(after: PendingLedgerChanges.pause).puts.first)
        expectEqual(again.standing, .unfinished)
        expectNil(again.settledAt)
        expectEqual(again.attempts, 2)
    }

    @Test func `a move is included as a rank and a removal as such`() {
        var run = Self.run(3)
        _ = run.changes()
        run.command(.move(TransferID(3), by: -1))
        let ranks = run.changes(after: PendingLedgerChanges.pause)
        expectEqual(ranks.count, 1)
        guard case .ranked(LedgerKey(9), let rank)? = ranks.first else { return expect(Bool(false), "\(ranks)") }
        expectEqual(run.queue.schedule.rank(of: TransferID(3)), rank)
        run.command(.cancel([TransferID(2)]))
        run.command(.remove([TransferID(2)]))
        expectEqual(run.changes(after: PendingLedgerChanges.pause * 2), [.removed(LedgerKey(8))])
    }
}

extension QueueRun {
    /// - Parameter pause: from now until the changes are taken.
    mutating func changes(after pause: Duration = .zero, isLast: Bool = false) -> [LedgerChange] {
        queue.takeLedgerChanges(at: now + pause, UnixTime(milliseconds: 1_000_000), isLast: isLast)
    }
}

extension TransferSpec {
    /// Its listing does not say whether the file has changed since an earlier run.
    static var finishedBefore: TransferSpec {
        var spec = TransferSpec.sample()
        spec.namedParts = 1
        let identity = FileIdentity(device: 1, node: 2, length: 900, modified: 3)
        spec.finishedFile = FinishedFile(identity, .strongETag("\"v\""))
        return spec
    }
}

extension [LedgerChange] {
    /// The complete entries.
    var puts: [LedgerEntry] {
        compactMap { change in
            if case .put(let entry) = change { entry } else { nil }
        }
    }

    var removed: [LedgerKey] {
        compactMap { change in
            if case .removed(let key) = change { key } else { nil }
        }
    }
}
