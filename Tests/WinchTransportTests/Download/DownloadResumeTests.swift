import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `Resuming a part` {
    private let size: Int64 = 1_000_000

    /// A first attempt that the server cuts off.
    private func cutOff(_ rig: Rig, _ url: String, at drop: Int64) async throws -> ResumePoint {
        let events = try await rig.fetch(url)
        #expect(events.failure == .cutShort(have: ByteCount(bytes: drop), expected: ByteCount(bytes: size)))
        let kept = try #require(events.kept)
        #expect(kept.have.bytes == drop)
        #expect(rig.folder.names == [kept.partPath])
        return kept
    }

    @Test func `requests the rest and receives it`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("r", "size=\(size)", "dropfirst=400000")
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            let opening = try #require(events.openings.first)
            #expect(opening.offset.bytes == 400_000)
            #expect(opening.startedOver == nil)
            #expect(events.saved == "r")
            #expect(server.requests.map(\.range) == [nil, "bytes=400000-"])
            #expect(server.requests.last?.ifRange == server.requests.last?.request.header("If-Range"))
            #expect(server.requests.last?.ifRange != nil)
            #expect(try rig.folder.bytes("r") == FaultServer.content("r", size))
        }
    }

    @Test(
        arguments: [
            ("ranges=off", Rebase.Cause.rangeIgnored, 0), ("ranges=lie", .rangeStartedEarlier, 399_999),
            ("change=1", .fileChanged, 0), ("contentrange=bytes 400000-999998/1000000", .rangeRefused, 0),
        ] as [(String, Rebase.Cause, Int64)])
    func `starts over when the rest would not match`(option: String, cause: Rebase.Cause, offset: Int64) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("o", "size=\(size)", "dropfirst=400000", option)
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            #expect(events.openings.map(\.startedOver) == [cause])
            #expect(events.openings.map(\.offset.bytes) == [offset])
            #expect(events.saved == "o")
            let content = SeededContent(name: "o", version: option == "change=1" ? 1 : 0)
            #expect(try rig.folder.bytes("o") == content.bytes(in: 0..<size))
        }
    }

    @Test func `finishes a complete part without another byte`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("c", "size=\(size)", "etag=v")
            rig.folder.write("c.part", FaultServer.content("c", size))
            rig.folder.sign("c.part", url, total: size, etag: "v")
            let resume = ResumePoint("c", have: size, of: size, etag: "v")
            let events = try await rig.fetch(url, resume: resume)
            #expect(events.openings.map(\.status) == [416])
            #expect(events.last == .finished(.saved(path: "c"), size: ByteCount(bytes: size)))
            #expect(try rig.folder.bytes("c") == FaultServer.content("c", size))
        }
    }

    @Test func `ignores bytes that are not on disk`() async throws {
        try await Rig.serving { server, rig in
            let resume = ResumePoint("n", have: 500, of: 1000)
            let missing = try await rig.fetch(server.url("n", "size=1000"), resume: resume)
            #expect(missing.openings.map(\.startedOver) == [.lostOnRetry])
            #expect(missing.saved == "n")

            rig.folder.write("m.part", Array(FaultServer.content("m", 300)))
            let longer = ResumePoint("m", have: 500, of: 1000)
            let shorter = try await rig.fetch(server.url("m", "size=1000"), id: 2, resume: longer)
            #expect(shorter.openings.map(\.offset.bytes) == [300])
            #expect(try rig.folder.bytes("m") == FaultServer.content("m", 1000))
        }
    }

    @Test func `does not change a part that another transfer holds or that has another URL`() async throws {
        try await FaultServer.serving { server in
            let holder = try Rig()
            try holder.start(server.url("h", "size=1M", "stall=500000"))
            _ = await holder.events { if case .moved = $0 { true } else { false } }
            let other = try Rig(folder: holder.folder)
            #expect(try await other.fetch(server.url("h", "size=1M", "stall=500000", "stallfor=0.01")).saved == "h")
            #expect(holder.folder.names == ["h", "h.part"])
        }
    }
}
