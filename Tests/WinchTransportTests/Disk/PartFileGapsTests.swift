import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// Several connections write into one part.
@Suite struct `A part with gaps` {
    private let folder: TemporaryFolder
    private let target: TargetFolder
    private let url: TransferURL
    private let content = FaultServer.content("f", 1_000_000)

    init() throws {
        folder = try TemporaryFolder()
        target = try TargetFolder.open(folder.path, parts: [])
        url = try TransferURL("http://h/f")
    }

    private func create() throws -> PartFile {
        let attributes = PartAttributes(
            url: url.redacted, version: FileVersion(total: 1_000_000, validator: .strongETag("\"v\"")))
        return try PartFile.create(for: "f", in: target, attributes, boot: "b")
    }

    private func reopen(boot: String, lastKnown: ResumePoint? = nil) throws -> PartFile {
        try require(PartFile.reopen("f.part", in: target, PartClaim([url], lastKnown: lastKnown), boot: boot))
    }

    private func write(_ range: Range<Int>, with writer: PartWriter) throws {
        try writer.append(Array(content[range]))
    }

    private func set(_ ranges: Range<Int64>...) -> ByteRanges { ByteRanges(ranges) }

    @Test func `is contiguous once the writers have met`() throws {
        let part = try create()
        let (first, second) = (PartWriter(part, at: 0), PartWriter(part, at: 500_000))
        try write(0..<200_000, with: first)
        try write(500_000..<900_000, with: second)
        expectEqual(part.held, set(0..<200_000, 500_000..<900_000))
        expectEqual(part.written, 200_000)
        try write(200_000..<500_000, with: first)
        expectEqual(part.written, 900_000)
        try write(900_000..<1_000_000, with: second)
        expectEqual(part.written, 1_000_000)
        try expectEqual(folder.bytes("f.part"), content)
    }

    /// A connection whose end was moved back goes over what others have brought, which was verified already.
    @Test func `keeps the bytes that it holds when others come for them`() throws {
        let part = try create()
        try write(100_000..<300_000, with: PartWriter(part, at: 100_000))
        try write(500_000..<600_000, with: PartWriter(part, at: 500_000))
        let late = PartWriter(part, at: 0)
        try write(0..<100_000, with: late)
        try late.append([UInt8](repeating: 0, count: 200_000))
        try write(300_000..<550_000, with: late)
        expectEqual(part.held, set(0..<600_000))
        try expectEqual(folder.bytes("f.part"), content[..<600_000].map { $0 })
    }

    /// The file ends with its last byte: its length does not show which bytes were written.
    @Test func `is never considered complete by the next run, even after a kill`() throws {
        let part = try create()
        try write(500_000..<900_000, with: PartWriter(part, at: 500_000))
        expectEqual(folder.size("f.part"), 900_000)
        part.durable.end()
        _ = part
        let killed = try require(folder.attribute("user.winch.durable", of: "f.part"))
        expectEqual(killed, "b:/")
        expectEqual(PartSyncState(parsing: killed)?.trust(length: 900_000, boot: "b").trusted, set())
    }

    @Test func `is resumed from its noted ranges, after a reboot from the synced ones`() throws {
        let part = try create()
        try write(0..<100_000, with: PartWriter(part, at: 0))
        try write(500_000..<600_000, with: PartWriter(part, at: 500_000))
        part.durable.synced(part.held, age: part.durable.age)
        try write(600_000..<700_000, with: PartWriter(part, at: 600_000))
        let mark = try require(FileIdentity(part.file))
        part.release()
        expectEqual(
            folder.attribute("user.winch.durable", of: "f.part"), "b:0-100000,500000-600000/0-100000,500000-700000")
        let here = try reopen(boot: "b")
        expectEqual(here.held, set(0..<100_000, 500_000..<700_000))
        expectEqual(here.durable.ranges, set(0..<100_000, 500_000..<600_000))
        here.release()
        let rebooted = try reopen(boot: "c")
        expectEqual(rebooted.held, set(0..<100_000, 500_000..<600_000))
        rebooted.release()
        var lastKnown = ResumePoint("f", have: 100_000)
        lastKnown.mark = mark
        try expectEqual(reopen(boot: "c", lastKnown: lastKnown).held, set(0..<100_000, 500_000..<700_000))
    }

    /// ext4 has 4 KiB for all attributes of a file, and a signed URL may take most of them.
    @Test func `notes the ranges for which its other attributes leave room`() throws {
        let part = try create()
        guard folder.attribute("user.winch.durable", of: "f.part") != nil else { return }
        let filling = String(repeating: "x", count: 100)
        for number in 0..<40 { folder.set("user.filling\(number)", to: filling, of: "f.part") }
        folder.set("user.filling0", to: nil, of: "f.part")
        for start in stride(from: 1000, to: 51_000, by: 1000) {
            try write(start..<start + 10, with: PartWriter(part, at: Int64(start)))
        }
        part.release()
        let noted = try require(PartSyncState.read(from: part.file)).trust(length: .max, boot: "b").trusted
        expect(!noted.isEmpty && noted.isSubset(of: part.held))
    }

    @Test func `has no gap after it is truncated before the first one`() throws {
        let part = try create()
        try write(0..<100_000, with: PartWriter(part, at: 0))
        try write(500_000..<600_000, with: PartWriter(part, at: 500_000))
        part.durable.synced(part.held, age: part.durable.age)
        let age = part.durable.age
        try part.cut(to: 100_000)
        expectEqual(part.held, set(0..<100_000))
        expectEqual(folder.size("f.part"), 100_000)
        expectEqual(folder.attribute("user.winch.durable", of: "f.part"), "b:100000")
        // A sync that began earlier has no effect.
        part.durable.synced(set(500_000..<600_000), age: age)
        expectEqual(folder.attribute("user.winch.durable", of: "f.part"), "b:100000")
        try write(100_000..<200_000, with: PartWriter(part, at: 100_000))
        expectEqual(part.written, 200_000)
    }
}

extension `A part with gaps` {
    /// The server cuts the first answer off; bytes behind the gap come from a connection that is no more.
    private func leaveGap(_ rig: Rig, _ url: String) async throws -> ResumePoint {
        var kept = try await require(rig.fetch(url).kept)
        let claim = PartClaim([try TransferURL(url)], lastKnown: kept)
        let part = try require(PartFile.reopen("f.part", in: target, claim))
        try write(600_000..<700_000, with: PartWriter(part, at: 600_000))
        part.release()
        kept.onDisk = part.held
        kept.mark = FileIdentity(part.file)
        return kept
    }

    /// Its last bytes before the gap are the server's, those behind it are not.
    @Test func `is not filled by an FTP server that has other bytes behind the gap`() async throws {
        let other = Array(content[..<500_000]) + FaultServer.content("g", 500_000)
        let server = try FileFTPServer(content, [.cut(after: 400_000), .complete], further: other)
        let rig = try Rig(folder: folder)
        let kept = try await leaveGap(rig, server.url)
        let events = try await rig.fetch(server.url, resume: kept)
        expectEqual(events.failure, .mixed)
        expectNil(events.kept)
        expect(folder.names.isEmpty)
    }

    @Test func `is filled by one request for each gap`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(folder: folder)
            let url = server.url("f", "size=1000000", "etag=v", "dropfirst=400000")
            let kept = try await leaveGap(rig, url)
            expectEqual(kept.onDisk, set(0..<400_000, 600_000..<700_000))
            try rig.start(url, resume: kept, rate: ByteRate(perSecond: 50_000))
            let first = await rig.events { if case .moved = $0 { true } else { false } }
            expectEqual(first.openings.map(\.offset.bytes), [400_000])
            expectEqual(first.openings.map(\.part.onDisk), [kept.onDisk])
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            let stopped = try await require(rig.settled().kept)
            expect(stopped.onDisk.ranges.count == 2 && stopped.onDisk.prefixEnd > 400_000)
            expectEqual(stopped.onDisk.ranges.last, 600_000..<700_000)
            try rig.start(url, attempt: 2, resume: stopped)
            _ = await rig.events { $0 == .requested }
            // The connection goes on behind them.
            let filled = await rig.events { $0 == .requested }
            expectEqual(filled.counts.last, 600_000)
            expect(
                filled.allSatisfy { if case .moved(_, let chunk) = $0 { chunk == 0..<600_000 } else { true } },
                "it ends where the next range on disk begins")
            let last = await rig.settled()
            expect(last.contains(.moved(700_000..<700_000, of: 700_000..<1_000_000)), "it is let in")
            expect(last.saved == "f" && last.counts.first == 700_000 && last.counts.last == 1_000_000)
            try expectEqual(folder.bytes("f"), content)
            expectEqual(
                server.requests.map(\.range),
                [nil, "bytes=400000-", "bytes=\(stopped.onDisk.prefixEnd)-", "bytes=700000-999999"])
        }
    }

    @Test func `keeps nothing of another version`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(folder: folder)
            let url = server.url("f", "size=1000000", "etag=v", "dropfirst=400000", "change=1")
            let kept = try await leaveGap(rig, url)
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.openings.map(\.part.onDisk), [set()])
            expectEqual(events.saved, "f")
            let other = SeededContent(name: "f", version: 1).bytes(in: 0..<1_000_000)
            try expectEqual(folder.bytes("f"), other)
        }
    }
}
