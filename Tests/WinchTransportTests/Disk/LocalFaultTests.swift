import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(1))) struct `A local fault` {
    @Test func `of a part that is a link is never followed`() async throws {
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

    @Test func `of a part with a second name leaves that alone`() async throws {
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

    @Test func `of a folder that has the name goes round it`() async throws {
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

    @Test func `of a folder that vanishes is noticed while bytes come`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let path = rig.folder.path + "/gone"
            try rig.start(server.url("f", "size=10M", "rate=200K"), below: "/gone")
            _ = await rig.events { if case .moved(let have) = $0 { have > .zero } else { false } }
            unlink(path + "/f.part")
            rmdir(path)
            let events = await rig.settled()
            #expect(events.failure == .readWrite(path, reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }

    @Test func `of a part that is removed is noticed while bytes come`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            try rig.start(server.url("f", "size=10M", "rate=200K"))
            _ = await rig.events { if case .moved(let have) = $0 { have > .zero } else { false } }
            unlink(rig.folder.path + "/f.part")
            let events = await rig.settled()
            #expect(events.failure == .readWrite(rig.folder.path + "/f.part", reason: "removed during the download"))
            #expect(events.kept == nil)
        }
    }
}
