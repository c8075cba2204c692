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
        let attributes = PartAttributes(url: url.redacted, total: 1_000_000, validator: .strongETag("\"v\""))
        return try PartFile.create(for: "f", in: target, attributes, boot: "b")
    }

    private func reopen(boot: String, told: ResumePoint? = nil) throws -> PartFile {
        try #require(PartFile.reopen("f.part", in: target, PartClaim([url], told: told), boot: boot))
    }

    private func write(_ range: Range<Int>, with writer: PartWriter) throws {
        try writer.append(Array(content[range]))
    }

    private func set(_ ranges: Range<Int64>...) -> RangeSet<Int64> { RangeSet(ranges) }

    @Test func `is whole once the writers have met`() throws {
        let part = try create()
        let (first, second) = (PartWriter(part, at: 0), PartWriter(part, at: 500_000))
        try write(0..<200_000, with: first)
        try write(500_000..<900_000, with: second)
        #expect(part.held == set(0..<200_000, 500_000..<900_000))
        #expect(part.written == 200_000)
        try write(200_000..<500_000, with: first)
        #expect(part.written == 900_000)
        try write(900_000..<1_000_000, with: second)
        #expect(part.written == 1_000_000)
        #expect(try folder.bytes("f.part") == content)
    }

    /// The file is as long as its last byte: its length must not be taken for bytes that were written.
    @Test func `is never taken for whole by the next run, even when this one is killed at once`() throws {
        let part = try create()
        try write(500_000..<900_000, with: PartWriter(part, at: 500_000))
        #expect(folder.size("f.part") == 900_000)
        part.durable.end()
        _ = part
        let killed = try #require(folder.attribute("user.winch.durable", of: "f.part"))
        #expect(killed == "b:/")
        #expect(PartNote(parsing: killed)?.trust(length: 900_000, boot: "b").trusted == set())
    }

    @Test func `is gone on with where it was noted, in this boot and in another`() throws {
        let part = try create()
        try write(0..<100_000, with: PartWriter(part, at: 0))
        try write(500_000..<600_000, with: PartWriter(part, at: 500_000))
        part.durable.synced(part.held, age: part.durable.age)
        try write(600_000..<700_000, with: PartWriter(part, at: 600_000))
        let mark = try #require(FileIdentity(part.file))
        part.letGo()
        #expect(
            folder.attribute("user.winch.durable", of: "f.part")
                == "b:0-100000,500000-600000/0-100000,500000-700000")
        let here = try reopen(boot: "b")
        #expect(here.held == set(0..<100_000, 500_000..<700_000))
        #expect(here.durable.bytes == 100_000)
        here.letGo()
        let rebooted = try reopen(boot: "c")
        #expect(rebooted.held == set(0..<100_000, 500_000..<600_000))
        rebooted.letGo()
        var told = ResumePoint(partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 100_000))
        told.mark = mark
        #expect(try reopen(boot: "c", told: told).held == set(0..<100_000, 500_000..<700_000))
    }

    @Test func `has none when it is cut before the first one`() throws {
        let part = try create()
        try write(0..<100_000, with: PartWriter(part, at: 0))
        try write(500_000..<600_000, with: PartWriter(part, at: 500_000))
        part.durable.synced(part.held, age: part.durable.age)
        let age = part.durable.age
        try part.cut(to: 100_000)
        #expect(part.held == set(0..<100_000))
        #expect(folder.size("f.part") == 100_000)
        #expect(folder.attribute("user.winch.durable", of: "f.part") == "b:100000")
        // A sync that began before says nothing.
        part.durable.synced(set(500_000..<600_000), age: age)
        #expect(folder.attribute("user.winch.durable", of: "f.part") == "b:100000")
        try write(100_000..<200_000, with: PartWriter(part, at: 100_000))
        #expect(part.written == 200_000)
    }
}
