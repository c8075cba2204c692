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

    @Test func `resumes what is unfinished and retries what failed`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let command = [
                server.url("late.bin", "size=40M", "ratefirst=1M"), server.url("odd.bin", "status=404,200", "size=9"),
                "-j",
                "2", "--progress", "simple", "--state-dir", "state",
            ]
            let first = try Program(command, in: folder)
            try await folder.wait(for: "late.bin.part", toHave: 500_000)
            try await eventually("a request") { !server.requests(for: "odd.bin").isEmpty }
            first.signal(SIGKILL)
            _ = try await first.wait()
            let kept = try folder.size("late.bin.part")
            let seen = server.requests(for: "late.bin").count
            let again = try await Program(command, in: folder).wait()
            expectEqual(again.code, 0, "\(again.output)")
            try expectEqual(folder.sha256("late.bin"), SeededContent(name: "late.bin").sha256(size: 40 << 20))
            expectEqual(server.requests(for: "late.bin").dropFirst(seen).first?.range, "bytes=\(kept)-")
            try expectEqual(folder.size("odd.bin"), 9)
            try expectEqual(folder.names(), ["late.bin", "odd.bin", "state"])
        }
    }
}
