import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchLedger
@testable import WinchModel

@Suite struct `A reopened ledger` {
    private static let seeds = (0..<8).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `returns what was recorded`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let (ledger, opening) = try folder.openLedger()
        var random = RandomChanges(seed: seed, firstKey: opening.firstKey)
        var model = LedgerModel()
        for batch in try random.batches() {
            ledger.record(batch)
            for change in batch { model.apply(change) }
            // Now and then all changes are written before more are recorded.
            if random.pick(0...2) == 0 { try expectEqual(ledger.history(HistoryQuery()), model.past) }
        }
        await ledger.close()

        try expectEqual(Ledger.history(stateFolder: folder.state, HistoryQuery()), model.past)
        let (next, list) = try folder.openLedger()
        expectEqual(list.unfinished, model.list)
        for entry in model.list { await expectEqual(next.details(of: entry.key), model.details[entry.key]) }
        await next.close()
    }

    @Test func `deletes the attempts of removed entries`() async throws {
        let folder = try TemporaryFolder()
        let attempt = StoredAttempt(number: 1, host: "h", began: noon, outcome: .failed(.httpStatus(503)))
        let facts = ConnectionFacts(address: "192.0.2.1", port: 80, protocolName: "HTTP/1.1")
        let reply = ServerReply(status: 503, location: "http://h/x", text: "full\n", isCut: true)
        let details = StoredDetails(attempts: [attempt], facts: facts, reply: reply)
        let entries = [
            try makeEntry(1), try makeEntry(2, .failed(.httpStatus(503)), settledAt: noon.later(days: 39)),
            try makeEntry(3, .cancelled),
            try makeEntry(4, .failed(.httpStatus(503)), settledAt: noon),
        ]
        let (ledger, _) = try folder.openLedger()
        ledger.record(entries.flatMap { [.put($0), .detailed($0.key, details)] } + [.removed(LedgerKey(1))])
        await expectNil(ledger.details(of: LedgerKey(1)))
        await expectEqual(ledger.details(of: LedgerKey(2)), details)
        await ledger.close()
        // The cancelled one leaves the list with the second run after its own, the failed one after a month.
        let (second, _) = try folder.openLedger(now: noon.later(days: 40))
        second.record([.put(try makeEntry(9 << 32))])
        await second.close()
        let (third, _) = try folder.openLedger(now: noon.later(days: 40))
        await expectEqual(third.details(of: LedgerKey(2)), details)
        await expectNil(third.details(of: LedgerKey(3)))
        await expectNil(third.details(of: LedgerKey(4)))
        await third.close()
    }

    @Test func `contains everything written before the process was killed`() async throws {
        let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
        let (ledger, _) = try folder.openLedger()
        ledger.record([.put(try makeEntry(1)), .put(try makeEntry(2, .failed(.httpStatus(404))))])
        ledger.record([
            .advanced(LedgerKey(1), onDisk: ByteRanges(), durable: ByteRanges(), received: ByteCount(bytes: 7))
        ])
        try expectEqual(ledger.history(HistoryQuery()).count, 1)

        copy.makeFolder("state")
        copy.makeFolder("state/winch")
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            copy.write("state/winch/" + name, try folder.bytes("state/winch/" + name))
        }
        let list = try await copy.leftover()
        expectEqual(list.map(\.key.number), [1, 2])
        expectEqual(list.first?.received, ByteCount(bytes: 7))
        await ledger.close()
    }

    @Test func `contains everything recorded even if it was never closed`() async throws {
        let folder = try TemporaryFolder()
        func run() throws {
            let (ledger, _) = try folder.openLedger()
            ledger.record([.put(try makeEntry(1))])
            try expect(ledger.history(HistoryQuery()).isEmpty)
        }
        try run()
        try await expectEqual(folder.leftover().map(\.key.number), [1])
    }

    @Test func `is a single file once the last run has closed it`() async throws {
        let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
        let (first, _) = try folder.openLedger()
        let (second, _) = try folder.openLedger()
        second.record([.put(try makeEntry(1 << 33))])
        await second.close()
        expect(TemporaryFolder.names(in: folder.state).contains("ledger.sqlite-wal"))
        first.record([.put(try makeEntry(1 << 32))])
        await first.close()
        expect(!TemporaryFolder.names(in: folder.state).contains("ledger.sqlite-wal"))
        copy.makeFolder("state")
        copy.makeFolder("state/winch")
        copy.write("state/winch/ledger.sqlite", try folder.bytes("state/winch/ledger.sqlite"))
        try await expectEqual(copy.leftover().map(\.key.number), [1 << 32, 1 << 33])
    }

    @Test func `returns the options of the last run that left entries`() async throws {
        let folder = try TemporaryFolder()
        let run = { (options: [NameValueLine], changes: [LedgerChange]) in
            let (ledger, opening) = try folder.openLedger()
            ledger.keep([NameValueLine(name: "jobs", value: "9")])
            ledger.keep(options)
            ledger.record(changes)
            await ledger.close()
            return opening.options
        }
        let slow = [NameValueLine(name: "limit-rate", value: "200K"), NameValueLine(name: "jobs", value: "2")]
        try await expectEqual(run(slow, [.put(try makeEntry(1))]), [])
        // A run that leaves no entries does not replace them.
        try await expectEqual(run([NameValueLine(name: "jobs", value: "7")], []), slow)
        try await expectEqual(run([], [.put(try makeEntry(2))]), slow)
        try await expectEqual(run([], []), [])
    }

    @Test func `returns the last options, which could not be written at first`() async throws {
        let folder = try TemporaryFolder()
        let (ledger, _) = try folder.openLedger()
        let other = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
        try other.execute("ALTER TABLE runs RENAME TO away")
        let options = [NameValueLine(name: "jobs", value: "2")]
        ledger.keep([NameValueLine(name: "jobs", value: "9")])
        await ledger.flush()
        ledger.keep(options)
        await ledger.flush()
        try other.execute("ALTER TABLE away RENAME TO runs")
        try other.close()
        ledger.record([.put(try makeEntry(1))])
        await ledger.close()
        let (next, opening) = try folder.openLedger()
        expectEqual(opening.options, options)
        await next.close()
    }

    /// With `--sums` each file has its own hash, which must not give each a row of settings.
    @Test func `returns listed checksums with one row of settings for all`() async throws {
        let folder = try TemporaryFolder()
        let hashes = (0..<10).map { "sha-256=" + String(repeating: "\($0)", count: 64) }
        let changes = try hashes.enumerated().map { index, hash in
            var settings = TransferSettings()
            if index == 3 { settings.checksum = Checksum("md5=" + String(repeating: "a", count: 32)) }
            var entry = try makeEntry(Int64(index + 1), settings: Shared(settings))
            entry.spec.listedChecksum = Checksum(hash)
            return LedgerChange.put(entry)
        }
        try await folder.leave(changes)
        let (ledger, opening) = try folder.openLedger()
        let shared = Set(opening.unfinished.map { ObjectIdentifier($0.spec.settings) })
        expectEqual(shared.count, 2, "one for all but the one that has a checksum of its own")
        expectEqual(opening.unfinished.map(\.spec.listedChecksum), hashes.map { Checksum($0) })
        expectEqual(opening.unfinished[3].spec.settings.value.checksum?.algorithm, .md5)
        try expectEqual(ledger.work { try $0.value("SELECT count(*) FROM settings") }, 1)
        await ledger.close()
    }

    @Test func `returns absolute paths for relative folders and files`() async throws {
        let folder = try TemporaryFolder()
        var settings = TransferSettings()
        settings.cookieFile = "jar"
        settings.caFile = "./ca.pem"
        let folders = [
            ".": "/home/someone", "./": "/home/someone", "got": "/home/someone/got", "/a": "/a",
            "got//x": "/home/someone/got/x", "got/./x/": "/home/someone/got/x", "/a//b/": "/a/b",
        ]
        let given = folders.keys.sorted()
        try await folder.leave(
            try given.indices.map {
                var entry = try makeEntry(Int64($0), settings: Shared(settings))
                entry.spec.folder = given[$0]
                return .put(entry)
            })
        let list = try await folder.leftover(in: RunIdentity(pid: 1, bootID: "first-boot", workingFolder: "/else"))
        expectEqual(list.map(\.spec.folder), given.map { folders[$0] })
        expectEqual(list.first?.spec.settings.value.cookieFile, "/home/someone/jar")
        expectEqual(list.first?.spec.settings.value.caFile, "/home/someone/ca.pem")
    }

    @Test func `returns an upload of a file without the working folder`() async throws {
        let folder = try TemporaryFolder()
        let url = try TransferURL("http://h/x")
        try await folder.leave(
            try [".", "photos"].enumerated().map { number, local in
                var entry = try makeEntry(Int64(number))
                entry.spec = TransferSpec(upload: UploadOrder(.file("photos/x")), to: url)
                entry.spec.folder = local
                return .put(entry)
            })
        let list = try await folder.leftover(in: RunIdentity(pid: 1, bootID: "first-boot", workingFolder: "/else"))
        expectEqual(list.map(\.spec.folder), [".", "/home/someone/photos"])
        expectEqual(list.first?.spec.upload?.file, "/home/someone/photos/x")
    }

    @Test func `never reuses a key`() async throws {
        let folder = try TemporaryFolder()
        var keys: [LedgerKey] = []
        for _ in 0..<3 {
            let (ledger, opening) = try folder.openLedger()
            keys.append(opening.firstKey)
            await ledger.close()
        }
        expectEqual(keys, keys.sorted())
        expect(zip(keys, keys.dropFirst()).allSatisfy { $1.number - $0.number >= 1 << 32 })
    }
}

@Suite struct `The ledger's retention` {
    @Test(arguments: [(LedgerState.unfinished, true), (.paused, true), (.failed(.httpStatus(404)), false)])
    func `keeps finished entries of a run that has unfinished ones`(left: LedgerState, isKept: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        try await folder.leave([
            .put(try makeEntry(1, .finished(.saved(path: "1.bin")))), .put(try makeEntry(2, .cancelled)),
            .put(try makeEntry(3, left)),
        ])
        // An unrelated run in between.
        try await folder.leave([.put(try makeEntry(9 << 32, .finished(.saved(path: "9.bin"))))])
        try await expect(folder.leftover().map(\.key.number) == (isKept ? [1, 2, 3] : [3]) + [9 << 32])
    }

    /// The files as a kill -9 leaves them: the log has not been written into the database.
    @Test func `drops the oldest entries above its maximum length`() async throws {
        let folder = try TemporaryFolder()
        let (ledger, _) = try folder.openLedger()
        ledger.record(try (1...20).map { .put(try makeEntry($0, .cancelled, settledAt: noon.later(seconds: -$0))) })
        try expectEqual(ledger.history(HistoryQuery()).count, 20)
        try ledger.work { db in try LedgerRetention.pruneHistory(db, to: 5) }
        try expectEqual(ledger.history(HistoryQuery()).map(\.key.number), [1, 2, 3, 4, 5])
        await ledger.close()
    }

    @Test func `keeps the rows of an earlier queue with unfinished entries, its failures for 30 days`() async throws {
        let folder = try TemporaryFolder()
        let standings: [LedgerState] = [
            .unfinished, .paused, .failed(.httpStatus(404)), .cancelled, .finished(.saved(path: "5.bin")),
        ]
        try await folder.leave(try standings.enumerated().map { .put(try makeEntry(Int64($0) + 1, $1)) })
        try await expectEqual(folder.leftover().map(\.standing), standings)

        try await folder.leave([
            .put(try makeEntry(11, .finished(.saved(path: "11.bin")))), .put(try makeEntry(12, .cancelled)),
        ])
        try await expectEqual(folder.leftover().map(\.key.number), [1, 2, 3, 4, 5, 11, 12])
        try await expectEqual(folder.leftover(now: noon.later(days: 31)).map(\.key.number), [1, 2, 4, 5, 11, 12])
        try expectEqual(Ledger.history(stateFolder: folder.state, HistoryQuery()).map(\.key.number), [12, 11, 5, 4, 3])
    }
}
