import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A local problem` {
    @Test func `with a part that is a link does not change the link's target`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", Array("mine".utf8))
            rig.folder.link("f.part", to: rig.folder.path + "/victim")
            #expect(try await rig.fetch(server.url("f", "size=300K")).saved == "f")
            let resume = ResumePoint(
                partPath: "f.part", targetPath: "g", have: ByteCount(bytes: 2), total: ByteCount(bytes: 300 << 10))
            #expect(try await rig.fetch(server.url("g", "size=300K"), id: 2, resume: resume).saved == "g")
            #expect(try rig.folder.bytes("victim") == Array("mine".utf8))
            rig.transport.discard(TransferID(3), resume, folder: rig.folder.path, addresses: [])
            await rig.transport.shutDown()
            #expect(rig.folder.names == ["f", "f.part", "g", "victim"])
        }
    }

    @Test func `with a part that has a second hard link does not change the file`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", Array("mine".utf8))
            #expect(link(rig.folder.path + "/victim", rig.folder.path + "/f.part") == 0)
            let resume = ResumePoint(
                partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 2), total: ByteCount(bytes: 300 << 10))
            #expect(try await rig.fetch(server.url("f", "size=300K"), resume: resume).saved == "f")
            #expect(try rig.folder.bytes("victim") == Array("mine".utf8))
        }
    }

    @Test func `with a folder of the target's name leads to a numbered name`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.makeFolder("d.zip")
            for (id, size) in [(1, "10"), (2, "300K")] {
                #expect(try await rig.fetch(server.url("d.zip", "size=\(size)"), id: id).saved == "d.\(id).zip")
            }
            let overwrite = try await rig.fetch(server.url("d.zip", "size=300K"), id: 3, name: "d.zip") {
                $0.onConflict = .overwrite
            }
            #expect(overwrite.failure == .nameTaken(rig.folder.path + "/d.zip"))
        }
    }

    @Test func `with a folder that is removed is detected while bytes arrive`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let path = rig.folder.path + "/gone"
            try rig.start(server.url("f", "size=10M", "rate=200K"), below: "/gone")
            _ = await rig.events { $0.position ?? 0 > 0 }
            unlink(path + "/f.part")
            rmdir(path)
            let events = await rig.settled()
            #expect(events.failure == .readWrite(path, reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }

    @Test func `with a part that is removed is detected while bytes arrive`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            try rig.start(server.url("f", "size=10M", "rate=200K"))
            _ = await rig.events { $0.position ?? 0 > 0 }
            unlink(rig.folder.path + "/f.part")
            let events = await rig.settled()
            #expect(events.failure == .readWrite(rig.folder.path + "/f.part", reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }
}
