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
                let events = try await rig.fetch(server.url("url.bin", "size=\(size)", "disposition=\(field)"), id: id)
                #expect(events.saved == TargetName.numbered(name, id - 1))
            }
            #expect(rig.folder.names == [TargetName.numbered(name, 1), name].sorted())
        }
    }

    @Test func `that the user gave wins, and may lie in folders`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let url = server.url("u", "size=5", "disposition=attachment; filename=server.bin")
            #expect(try await rig.fetch(url, name: "mine.bin").saved == "mine.bin")
            #expect(try await rig.fetch(url, id: 2, name: "a/b/mine.bin").saved == "a/b/mine.bin")
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
            #expect(try await rig.fetch(server.url("n.bin", "size=10"), id: 2).saved == "n.bin")
        }
    }

    @Test func `of a paused part is free again when that is thrown away`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let kept = try #require(try await rig.fetch(server.url("d", "size=1M", "drop=500K")).kept)
            #expect(rig.folder.names == ["d.part"])
            rig.transport.discard(TransferID(1), kept, folder: rig.folder.path, addresses: [])
            #expect(try await rig.fetch(server.url("d", "size=10"), id: 2).saved == "d")
            #expect(rig.folder.names == ["d"])
        }
    }
}
