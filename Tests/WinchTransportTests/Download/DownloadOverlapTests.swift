import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A part without a strong tag` {
    private let size: Int64 = 1_000_000
    /// `bytes=N-` of a part of 400,000 bytes.
    private static let whole = "bytes=400000-"
    private static let overlapped = "bytes=395904-"

    /// Downloads in two attempts, the first of which is cut off.
    private func fetchTwice(_ server: FaultServer, _ options: String...) async throws -> (Rig, [TransportEvent]) {
        let rig = try Rig()
        let url = server.url("o") + "?" + (["size=\(size)", "dropfirst=400000"] + options).joined(separator: "&")
        let kept = try await require(rig.fetch(url).kept)
        return (rig, try await rig.fetch(url, resume: kept))
    }

    @Test(
        arguments: [
            (["noetag"], nil), (["weaketag=w"], nil), (["noetag", "lastmodified=0"], "Thu, 01 Jan 1970 00:00:00 GMT"),
            // A date that is not older than the response cannot validate the bytes.
            (["noetag", "lastmodified=4102444800"], nil),
        ] as [([String], String?)])
    func `is resumed when its last bytes match the server's`(options: [String], condition: String?) async throws {
        try await FaultServer.serving { server in
            let (rig, events) = try await fetchTwice(server, options.joined(separator: "&"))
            expectEqual(server.requests.map(\.range), [nil, Self.overlapped])
            expectEqual(server.requests.last?.ifRange, condition)
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.openings.map(\.startedOver), [nil])
            expect(events.counts.allSatisfy { $0 > 400_000 })
            expectEqual(events.saved, "o")
            try expectEqual(rig.folder.bytes("o"), FaultServer.content("o", size))
        }
    }

    @Test(arguments: ["noetag&change=1", "noetag&lastmodified=0&change=1", "ranges=careless&change=1"])
    func `starts over when the file is a different one of the same size`(options: String) async throws {
        try await FaultServer.serving { server in
            let (rig, events) = try await fetchTwice(server, options)
            expectEqual(events.openings.map(\.startedOver), [.fileChanged])
            expectEqual(events.openings.map(\.offset.bytes), [0])
            expectEqual(events.saved, "o")
            let version = server.requests.count - 1
            try expectEqual(rig.folder.bytes("o"), SeededContent(name: "o", version: version).bytes(in: 0..<size))
            expectEqual(rig.folder.names, ["o"])
        }
    }

    @Test func `is compared when the response does not repeat the tag`() async throws {
        try await FaultServer.serving { server in
            let (rig, events) = try await fetchTwice(server, "ranges=bare")
            expectEqual(server.requests.map(\.range), [nil, Self.whole, Self.overlapped])
            expectEqual(events.openings.map(\.offset.bytes), [400_000])
            expectEqual(events.saved, "o")
            try expectEqual(rig.folder.bytes("o"), FaultServer.content("o", size))
        }
        try await FaultServer.serving { server in
            let (rig, events) = try await fetchTwice(server, "ranges=bare", "change=1")
            expectEqual(server.requests.map(\.range), [nil, Self.whole, Self.overlapped, nil])
            expectEqual(events.openings.map(\.startedOver), [.fileChanged])
            try expectEqual(rig.folder.bytes("o"), SeededContent(name: "o", version: 3).bytes(in: 0..<size))
        }
    }

    /// What an encoded answer says of its version is not kept.
    @Test(
        arguments: [
            ("ranges=multipart", [Self.whole, nil, Self.whole, nil]),
            ("header=Content-Encoding:%20gzip", [Self.overlapped, nil]),
        ] as [(String, [String?])])
    func `starts over when the response is not a plain part`(option: String, ranges: [String?]) async throws {
        try await FaultServer.serving { server in
            let (rig, events) = try await fetchTwice(server, option)
            expectEqual(events.openings.map(\.startedOver), [.rangeRefused])
            expectEqual(server.requests.map(\.range), [nil] + ranges)
            try expectEqual(rig.folder.bytes("o"), FaultServer.content("o", size))
        }
    }

    @Test(arguments: ["noetag&change=1", "change=1", "ranges=bare&change=1", "grows"])
    func `is not changed when a change counts as a failure`(options: String) async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("f.part", [UInt8](repeating: 7, count: 5000))
            let resume = ResumePoint("f", have: 5000, of: 9000, etag: options.contains("noetag") ? nil : "old")
            let size = options == "grows" ? 9001 : 9000
            let url = server.url("f") + "?size=\(size)" + (options == "grows" ? "" : "&" + options)
            let events = try await rig.fetch(url, resume: resume) { $0.onChange = .fail }
            expectEqual(events.failure, .changed)
            expect(events.openings.isEmpty)
            expectEqual(events.kept?.have.bytes, 5000)
            try expectEqual(rig.folder.bytes("f.part"), [UInt8](repeating: 7, count: 5000))
            expectEqual(rig.folder.names, ["f.part"])
        }
    }

    @Test func `that is complete needs only its last bytes compared`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("e.part", FaultServer.content("e", 9000))
            let resume = ResumePoint("e", have: 9000, of: 9000)
            let events = try await rig.fetch(server.url("e", "size=9000", "noetag"), resume: resume)
            expectEqual(events.openings.map(\.offset.bytes), [9000])
            expectEqual(events.saved, "e")
            expectEqual(server.requests.map(\.range), ["bytes=4904-"])
            try expectEqual(rig.folder.bytes("e"), FaultServer.content("e", 9000))
        }
    }

    @Test func `keeps its bytes when the response ends within the compared ones`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("s.part", FaultServer.content("s", 9000))
            let resume = ResumePoint("s", have: 9000, of: 20_000)
            let events = try await rig.fetch(server.url("s", "size=20000", "noetag", "drop=100"), resume: resume)
            expectEqual(events.kept?.have.bytes, 9000)
            expect(events.openings.isEmpty)
            try expectEqual(rig.folder.bytes("s.part"), FaultServer.content("s", 9000))
        }
    }

    /// Such a server ignores every second range, or has once no file: bytes discarded each time would never become a file.
    @Test(
        arguments: [
            ("ranges=alternate", .rangeIgnored), ("ranges=alternate&noetag&lastmodified=0", .rangeIgnored),
            ("status=200,200,404,200", nil),
        ] as [(String, Rebase.Cause?)])
    func `is completed from a server that ignores or refuses some ranges`(options: String, cause: Rebase.Cause?)
        async throws
    {
        try await Rig.serving { server, rig in
            let url = server.url("a") + "?size=\(size)&drop=300000&" + options
            let attempts = try await rig.fetchAll(url)
            expectEqual(attempts.last?.saved, "a")
            try expectEqual(rig.folder.bytes("a"), FaultServer.content("a", size))
            let kept = attempts.compactMap { $0.kept?.have.bytes }
            expectEqual(kept, kept.sorted(), "nothing that is kept is given up: \(kept)")
            expectEqual(Set(attempts.flatMap(\.openings).compactMap(\.startedOver)), cause.map { [$0] } ?? [])
        }
    }

    @Test func `is overwritten from the first different byte when the whole file arrives under the same tag`()
        async throws
    {
        try await Rig.serving { server, rig in
            rig.folder.write("d.part", FaultServer.content("d", 100_000) + [UInt8](repeating: 0, count: 200_000))
            let resume = ResumePoint("d", have: 300_000, of: size, etag: "v")
            let events = try await rig.fetch(server.url("d", "size=\(size)", "etag=v", "ranges=off"), resume: resume)
            expectEqual(events.openings.map(\.offset.bytes), [0])
            expectEqual(events.saved, "d")
            try expectEqual(rig.folder.bytes("d"), FaultServer.content("d", size))
        }
    }

    @Test(arguments: ["", "http10", "noetag", "http10&noetag"])
    func `is completed over any number of ranges`(options: String) async throws {
        try await Rig.serving { server, rig in
            let attempts = try await rig.fetchAll(server.url("m") + "?size=\(size)&drop=150000&" + options)
            expectEqual(attempts.last?.saved, "m")
            expect(attempts.dropFirst().allSatisfy { $0.openings.allSatisfy { $0.startedOver == nil } })
            try expectEqual(rig.folder.bytes("m"), FaultServer.content("m", size))
            expectEqual(server.requests.count, 7)
        }
    }
}
