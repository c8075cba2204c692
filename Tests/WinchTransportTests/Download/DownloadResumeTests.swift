import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `Resuming a part` {
    private let size: Int64 = 1_000_000

    /// A first attempt that the server cuts off.
    private func cutOff(_ rig: Rig, _ url: String, at drop: Int64) async throws -> ResumePoint {
        let events = try await rig.fetch(url)
        expectEqual(events.failure, .cutShort(have: ByteCount(bytes: drop), expected: ByteCount(bytes: size)))
        let kept = try require(events.kept)
        expectEqual(kept.have.bytes, drop)
        expectEqual(rig.folder.names, [kept.partPath])
        return kept
    }

    /// Also with the status of the whole.
    @Test(arguments: ["honest", "ok"])
    func `requests the rest and receives it`(ranges: String) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("r", "size=\(size)", "dropfirst=400000", "ranges=\(ranges)")
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            let opening = try require(events.openings.first)
            expectEqual(opening.offset.bytes, 400_000)
            expectNil(opening.startedOver)
            expectEqual(events.saved, "r")
            expectEqual(server.requests.map(\.range), [nil, "bytes=400000-"])
            expectEqual(server.requests.last?.ifRange, server.requests.last?.request.header("If-Range"))
            expect(server.requests.last?.ifRange != nil)
            try expectEqual(rig.folder.bytes("r"), FaultServer.content("r", size))
        }
    }

    @Test(
        arguments: [
            ("ranges=off", Rebase.Cause.rangeIgnored, 0), ("ranges=lie", .rangeStartedEarlier, 399_999),
            ("ranges=unmarked", .rangeRefused, 0),
            ("change=1", .fileChanged, 0), ("contentrange=bytes 400000-999998/1000000", .rangeRefused, 0),
        ] as [(String, Rebase.Cause, Int64)])
    func `starts over when the rest would not match`(option: String, cause: Rebase.Cause, offset: Int64) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("o", "size=\(size)", "dropfirst=400000", option)
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.openings.map(\.startedOver), [cause])
            expectEqual(events.openings.map(\.offset.bytes), [offset])
            expectEqual(events.saved, "o")
            let content = SeededContent(name: "o", version: option == "change=1" ? 1 : 0)
            try expectEqual(rig.folder.bytes("o"), content.bytes(in: 0..<size))
        }
    }

    /// A redirect leads to a page, an error, an address that is refused, or too often to another.
    @Test(
        arguments: [
            ["404"], ["204"], ["304"], ["302"], ["302", "/f/page?type=text/html"], ["302", "/f/none?status=404"],
            ["302", "ftp://127.0.0.1/f"], ["302", "/f/hops?redirect=99"],
        ])
    func `asks for the whole when a range is refused, and is refused again`(answer: [String]) async throws {
        try await Rig.serving { server, rig in
            let location = answer.count > 1 ? "header=Location: \(answer[1])" : "header=X-None: 1"
            let url = server.url("q", "size=\(size)", "dropfirst=400000", "rangestatus=\(answer[0])", location)
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.openings.map(\.startedOver), [.rangeRefused])
            expectEqual(events.saved, "q", "\(String(describing: events.last))")
            expectEqual(server.requests(for: "q").map(\.range), [nil, "bytes=400000-", nil, "bytes=400000-", nil])
            expectNil(server.requests(for: "q").last?.ifRange)
            try expectEqual(rig.folder.bytes("q"), FaultServer.content("q", size))
        }
    }

    @Test(arguments: [("404", 3), ("503", 2)])
    func `keeps the part when the whole is refused as well, or later may do`(status: String, requests: Int) async throws
    {
        try await Rig.serving { server, rig in
            let url = server.url("k", "size=\(size)", "dropfirst=400000", "status=200,\(status)")
            let kept = try await cutOff(rig, url, at: 400_000)
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.failure?.httpStatus, Int(status))
            expectEqual(events.kept?.have.bytes, 400_000)
            expectEqual(server.requests.map(\.range), Array([nil, "bytes=400000-", nil].prefix(requests)))
            try expectEqual(rig.folder.bytes(kept.partPath), FaultServer.content("k", 400_000))
        }
    }

    /// A connection may be lost for many reasons: only the second in a row is a sign of a server that has no ranges.
    @Test(arguments: ["close", "reset"])
    func `asks for the whole when the connection is lost twice in a row before an answer`(loss: String) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("l", "size=\(size)", "dropfirst=400000", "status=200,\(loss),\(loss),200,\(loss),200")
            var kept = try await cutOff(rig, url, at: 400_000)
            let lost = try await rig.fetch(url, resume: kept)
            guard case .connectionLost? = lost.failure else { return expect(false, "\(String(describing: lost.last))") }
            kept = try require(lost.kept)
            expectEqual(kept.have.bytes, 400_000)
            let events = try await rig.fetch(url, resume: kept, followsRefusal: true)
            expectEqual(events.openings.map(\.startedOver), [.rangeRefused])
            expectEqual(events.saved, "l")
            let rest = "bytes=400000-"
            expectEqual(server.requests.map(\.range), [nil, rest, rest, nil, rest, nil])
            try expectEqual(rig.folder.bytes("l"), FaultServer.content("l", size))
        }
    }

    @Test func `finishes a complete part of another run when its last bytes are the server's`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("c", "size=\(size)", "etag=v")
            rig.folder.write("c.part", FaultServer.content("c", size))
            rig.folder.sign("c.part", url, total: size, etag: "v")
            let resume = ResumePoint("c", have: size, of: size, etag: "v")
            let events = try await rig.fetch(url, resume: resume)
            expectEqual(server.requests.map(\.range), ["bytes=\(size - 4096)-"])
            expectEqual(events.openings.map(\.offset.bytes), [size])
            expectEqual(events.last, .finished(.saved(path: "c"), size: ByteCount(bytes: size)))
            try expectEqual(rig.folder.bytes("c"), FaultServer.content("c", size))
        }
    }

    /// The part could not get its name: the next attempt needs no byte.
    @Test func `gives a complete part of a tree the time that came with its bytes`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("t", "size=\(size)", "etag=v", "lastmodified=1704458096", "dropfirst=400000")
            try rig.start(url, below: "/pub", namedParts: 1)
            _ = try await require(rig.settled().kept)
            expectEqual(rig.folder.attribute("user.winch.time", of: "pub/t.part"), "1704458096")
            rig.folder.write("pub/u.part", FaultServer.content("u", size))
            let next = server.url("u", "size=\(size)", "etag=v")
            rig.folder.sign("pub/u.part", next, total: size, etag: "v")
            rig.folder.set("user.winch.time", to: "1704458096", of: "pub/u.part")
            var resume = ResumePoint("u", have: size, of: size, etag: "v")
            resume.mark = try FileIdentity(require(TargetFolder.open(rig.folder.path, parts: ["pub"]).opened("u.part")))
            try rig.start(next, id: 2, resume: resume, below: "/pub", namedParts: 1)
            let events = await rig.settled(2)
            expectEqual(events.openings.map(\.status), [416])
            expectEqual(events.saved, "u")
            var status = stat()
            expectEqual(stat(rig.folder.path + "/pub/u", &status), 0)
            expectEqual(status.st_mtim.tv_sec, 1_704_458_096)
            expectNil(rig.folder.attribute("user.winch.time", of: "pub/u"))
        }
    }

    @Test func `ignores bytes that are not on disk`() async throws {
        try await Rig.serving { server, rig in
            let resume = ResumePoint("n", have: 500, of: 1000)
            let missing = try await rig.fetch(server.url("n", "size=1000"), resume: resume)
            expectEqual(missing.openings.map(\.startedOver), [.lostOnRetry])
            expectEqual(missing.saved, "n")

            rig.folder.write("m.part", Array(FaultServer.content("m", 300)))
            let longer = ResumePoint("m", have: 500, of: 1000)
            let shorter = try await rig.fetch(server.url("m", "size=1000"), id: 2, resume: longer)
            expectEqual(shorter.openings.map(\.offset.bytes), [300])
            try expectEqual(rig.folder.bytes("m"), FaultServer.content("m", 1000))
        }
    }

    @Test func `does not change a part that another transfer holds or that has another URL`() async throws {
        try await FaultServer.serving { server in
            let holder = try Rig()
            try holder.start(server.url("h", "size=1M", "stall=500000"))
            _ = await holder.events { if case .moved = $0 { true } else { false } }
            let other = try Rig(folder: holder.folder)
            try await expectEqual(other.fetch(server.url("h", "size=1M", "stall=500000", "stallfor=0.01")).saved, "h")
            expectEqual(holder.folder.names, ["h", "h.part"])
        }
    }
}

@Suite struct `A file that changes with each request` {
    /// All versions have the same size. A part of one must never be resumed from another.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["etag=v", "noetag&lastmodified=0", "noetag", "ranges=careless&etag=v", "ranges=bare&etag=v"])
    func `never becomes a mix of versions in 20 rounds`(options: String) async throws {
        try await Rig.serving { server, rig in
            var random = SystemRandomNumberGenerator()
            var mixed: [String] = []
            for round in 1...20 {
                let size = Int64.random(in: 70_000...200_000, using: &random)
                let drop = Int64.random(in: 1..<size, using: &random)
                let name = "swap\(round)"
                let url = server.url(name) + "?size=\(size)&change=1&dropfirst=\(drop)&" + options
                let attempts = try await rig.fetchAll(url, id: round)
                expectEqual(attempts.last?.saved, name, "round \(round) at \(drop) of \(size)")
                let got = try rig.folder.bytes(name)
                let isWhole = (0..<8).contains { got == SeededContent(name: name, version: $0).bytes(in: 0..<size) }
                if !isWhole { mixed.append("\(name): \(drop) of \(size)") }
            }
            expect(mixed.isEmpty)
            expectEqual(rig.folder.names.count, 20)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The same URL added again` {
    @Test func `resumes from the part that a failure left`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("data", "size=300000", "dropfirst=100000")
            try await expectEqual(rig.fetch(url).kept?.have.bytes, 100_000)
            let events = try await rig.fetch(url, id: 2)
            expectEqual(events.openings.map(\.offset.bytes), [100_000])
            expectEqual(events.saved, "data")
            expectEqual(rig.folder.names, ["data"])
            try expectEqual(rig.folder.bytes("data"), FaultServer.content("data", 300_000))
        }
    }

    @Test func `finds a numbered file, also in another run`() async throws {
        try await Rig.serving { server, rig in
            let urls = (1...3).map { server.url("data", "size=\($0)00000", "seed=\($0)") }
            for (index, url) in urls.enumerated() { _ = try await rig.fetch(url, id: index + 1) }
            expectEqual(rig.folder.names, ["data", "data.1", "data.2"])
            server.forget()
            for other in [rig, try Rig(folder: rig.folder)] {
                let events = try await other.fetch(urls[2], id: 9)
                expectEqual(events.last, .finished(.alreadyComplete(path: "data.2"), size: ByteCount(bytes: 300_000)))
            }
            expectEqual(server.requests.map(\.status), [304, 304])
            expectEqual(rig.folder.names, ["data", "data.1", "data.2"])
        }
    }
}
