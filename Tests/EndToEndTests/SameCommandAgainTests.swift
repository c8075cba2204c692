import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `The same command run again` {
    @Test func `skips files that are complete and downloads those that are missing`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let command = [
                server.url("a.bin", "size=200K"), server.url("b.bin", "size=3000"), "-d", "got", "--state-dir", "state",
            ]
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            server.forget()
            let again = try await Program(command, in: folder).wait()
            expectEqual(again.code, 0)
            expectEqual(again.lines.count { $0.contains("already there") }, 2, "\(again.output)")
            expect(server.requests.isEmpty)
            try FileManager.default.removeItem(atPath: folder.path("got/b.bin"))
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            expect(server.requests(for: "a.bin").isEmpty)
            try expectEqual(folder.sha256("got/b.bin"), SeededContent(name: "b.bin").sha256(size: 3000))
        }
    }
}
