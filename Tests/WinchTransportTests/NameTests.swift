import FaultServer
import Glibc
import TestSupport
import Testing
import WinchCore
import WinchTransport

@Suite(.timeLimit(.minutes(1))) struct `The name of a file` {
    @Test(arguments: [
        ("attachment; filename=\"report.pdf\"", "report.pdf"),
        ("attachment; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt; filename=x", "日本.txt"),
        ("attachment; filename=\"../../../tmp/evil\"", "evil"), ("attachment; filename=\"/etc/passwd\"", "passwd"),
        ("attachment; filename=\"a\u{202E}gpj.exe\"", "agpj.exe"), ("attachment; filename=\"-rf\"", "_rf"),
        ("attachment; filename=\".bashrc\"", "_bashrc"), ("attachment; filename=\"..\"", "url.bin"),
        ("attachment; filename=\"\"", "url.bin"), ("attachment", "url.bin"),
    ])
    func `comes from the server, made safe, else from the address`(field: String, name: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            for (id, size) in [(1, "100"), (2, "200K")] {
                let events = try await rig.haul(server.url("url.bin", "size=\(size)", "disposition=\(field)"), id: id)
                #expect(events.saved == TargetName.numbered(name, id - 1))
            }
            #expect(rig.folder.names == [TargetName.numbered(name, 1), name].sorted())
        }
    }

    @Test func `that a person gave wins, and may lie in folders`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let url = server.url("u", "size=5", "disposition=attachment; filename=server.bin")
            #expect(try await rig.haul(url, name: "mine.bin").saved == "mine.bin")
            #expect(try await rig.haul(url, id: 2, name: "a/b/mine.bin").saved == "a/b/mine.bin")
            #expect(try rig.folder.bytes("a/b/mine.bin") == FaultServer.content("u", 5))
        }
    }

    @Test func `is told from another's in the order of starting`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            for id in 1...3 { try rig.start(server.url("same.bin", "size=\(id * 100)"), id: id) }
            let ends = await rig.settledAll(3)
            for (id, name) in [(1, "same.bin"), (2, "same.1.bin"), (3, "same.2.bin")] {
                let size = Int64(id) * 100
                #expect(ends[TransferID(id)] == .finished(.saved(path: name), size: ByteCount(bytes: size)))
                #expect(try rig.folder.bytes(name) == FaultServer.content("same.bin", size))
            }
        }
    }

    @Test func `is free again when its transfer is thrown away`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            try rig.start(server.url("n.bin", "size=1M", "stall=1000"))
            _ = await rig.events { if case .moved = $0 { true } else { false } }
            rig.transport.stop(TransferID(1), Stamp(), discarding: true)
            #expect(await rig.settled().last == .stopped(kept: nil))
            #expect(rig.folder.names == [])
            #expect(try await rig.haul(server.url("n.bin", "size=10"), id: 2).saved == "n.bin")
        }
    }

    @Test func `of a paused part is free again when that is thrown away`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let kept = try #require(try await rig.haul(server.url("d", "size=1M", "drop=500K")).kept)
            #expect(rig.folder.names == ["d.part"])
            rig.transport.discard(TransferID(1), kept, folder: rig.folder.path, addresses: [])
            #expect(try await rig.haul(server.url("d", "size=10"), id: 2).saved == "d")
            #expect(rig.folder.names == ["d"])
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A file that is there already` {
    private func haul(
        _ conflict: NameConflict, size: Int64, existing: [UInt8]?
    ) async throws -> (Rig, [TransportEvent], Int) {
        try await FaultServer.serving { server in
            let rig = try Rig()
            if let existing { rig.folder.write("f", existing) }
            let events = try await rig.haul(server.url("f", "size=\(size)")) { $0.onConflict = conflict }
            return (rig, events, server.requests.count)
        }
    }

    @Test(arguments: [100, 3_000_000] as [Int64])
    func `is kept, and ours gets a number`(size: Int64) async throws {
        let (rig, events, _) = try await haul(.rename, size: size, existing: [1, 2, 3])
        #expect(events.saved == "f.1")
        #expect(try rig.folder.bytes("f") == [1, 2, 3])
        #expect(try rig.folder.bytes("f.1") == FaultServer.content("f", size))
        #expect(rig.folder.names == ["f", "f.1"])
    }

    @Test(arguments: [0, 100, 3_000_000] as [Int64])
    func `with the same bytes is enough`(size: Int64) async throws {
        let (rig, events, _) = try await haul(.rename, size: size, existing: FaultServer.content("f", size))
        #expect(events.last == .finished(.alreadyComplete(path: "f"), size: ByteCount(bytes: size)))
        #expect(rig.folder.names == ["f"])
    }

    @Test func `with as many, but other bytes is another`() async throws {
        let (rig, events, _) = try await haul(.rename, size: 100, existing: [UInt8](repeating: 0, count: 100))
        #expect(events.saved == "f.1")
        #expect(rig.folder.names == ["f", "f.1"])
    }

    @Test(arguments: [100, 3_000_000] as [Int64])
    func `is replaced when a person says so`(size: Int64) async throws {
        let (rig, events, _) = try await haul(.overwrite, size: size, existing: [1])
        #expect(events.saved == "f")
        #expect(try rig.folder.bytes("f") == FaultServer.content("f", size))
        #expect(rig.folder.names == ["f"])
    }

    @Test func `is skipped, or a failure, without asking the server`() async throws {
        let (_, skipped, requests) = try await haul(.skip, size: 100, existing: [1, 2])
        #expect(skipped == [.finished(.skipped(path: "f"), size: ByteCount(bytes: 2))])
        #expect(requests == 0)
        let (rig, failed, none) = try await haul(.fail, size: 100, existing: [1, 2])
        #expect(failed.failure == .nameTaken(rig.folder.path + "/f"))
        #expect(none == 0)
    }

    @Test(arguments: [NameConflict.skip, .fail])
    func `under the server's name is noticed at the head`(conflict: NameConflict) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("theirs", [7])
            let url = server.url("f", "size=1M", "disposition=attachment; filename=theirs")
            let events = try await rig.haul(url) { $0.onConflict = conflict }
            if conflict == .skip {
                #expect(events.last == .finished(.skipped(path: "theirs"), size: ByteCount(bytes: 1)))
            } else {
                #expect(events.failure == .nameTaken(rig.folder.path + "/theirs"))
            }
            #expect(rig.folder.names == ["theirs"])
        }
    }

    @Test func `as a link or a folder is never replaced`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", [9])
            rig.folder.link("link", to: rig.folder.path + "/victim")
            rig.folder.makeFolder("folder")
            for (id, name) in [(1, "link"), (2, "folder")] {
                let events = try await rig.haul(server.url(name, "size=10"), id: id) { $0.onConflict = .overwrite }
                #expect(events.failure == .nameTaken(rig.folder.path + "/" + name))
                #expect(try await rig.haul(server.url(name, "size=10"), id: id + 10).saved == name + ".1")
            }
            #expect(try rig.folder.bytes("victim") == [9])
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A part that is somebody else's` {
    @Test func `is left alone`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", [9])
            rig.folder.write("a.part", [1, 2])
            rig.folder.link("b.part", to: rig.folder.path + "/victim")
            rig.folder.link("c.part", to: rig.folder.path + "/nowhere")
            rig.folder.makeFolder("d.part")
            for (id, name) in ["a", "b", "c", "d"].enumerated() {
                #expect(try await rig.haul(server.url(name, "size=300K"), id: id + 1).saved == name)
                #expect(try rig.folder.bytes(name) == FaultServer.content(name, 300 << 10))
            }
            #expect(try rig.folder.bytes("a.part") == [1, 2])
            #expect(try rig.folder.bytes("victim") == [9])
            #expect(rig.folder.names == ["a", "a.part", "b", "b.part", "c", "c.part", "d", "d.part", "victim"])
        }
    }

    @Test func `is not gone on with, even when a resume point names it`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", [UInt8](repeating: 3, count: 500))
            rig.folder.link("r.part", to: "victim")
            let resume = ResumePoint(
                partPath: "r.part", targetPath: "r", have: ByteCount(bytes: 500), total: ByteCount(bytes: 1000))
            #expect(try await rig.haul(server.url("r", "size=1000"), resume: resume).saved == "r")
            #expect(try rig.folder.bytes("victim") == [UInt8](repeating: 3, count: 500))
        }
    }
}
