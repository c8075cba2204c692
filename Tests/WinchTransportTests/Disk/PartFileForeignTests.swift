import FaultServer
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A part of unknown origin` {
    @Test func `is not changed`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", [9])
            rig.folder.write("a.part", [1, 2])
            rig.folder.link("b.part", to: rig.folder.path + "/victim")
            rig.folder.link("c.part", to: rig.folder.path + "/nowhere")
            rig.folder.makeFolder("d.part")
            for (id, name) in ["a", "b", "c", "d"].enumerated() {
                #expect(try await rig.fetch(server.url(name, "size=300K"), id: id + 1).saved == name)
                #expect(try rig.folder.bytes(name) == FaultServer.content(name, 300 << 10))
            }
            #expect(try rig.folder.bytes("a.part") == [1, 2])
            #expect(try rig.folder.bytes("victim") == [9])
            #expect(rig.folder.names == ["a", "a.part", "b", "b.part", "c", "c.part", "d", "d.part", "victim"])
        }
    }

    @Test func `is not resumed even when a resume point names it`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            rig.folder.write("victim", [UInt8](repeating: 3, count: 500))
            rig.folder.link("r.part", to: "victim")
            let resume = ResumePoint(
                partPath: "r.part", targetPath: "r", have: ByteCount(bytes: 500), total: ByteCount(bytes: 1000))
            #expect(try await rig.fetch(server.url("r", "size=1000"), resume: resume).saved == "r")
            #expect(try rig.folder.bytes("victim") == [UInt8](repeating: 3, count: 500))
        }
    }
}
