import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// kill -9 in the middle of a download, which leaves only the part in the folder; then the same command again.
///
/// Sensitive to time: the program is killed at moments that it is to reach.
@Suite(.serialized) struct `A run that is killed` {
    /// Whenever the kill happens, the folder holds either nothing or a part that the next run resumes.
    @Test func `never leaves a part that the next run cannot resume`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("early.bin", "size=2M", "latency=0.02", "rate=1000000")
            for round in 0..<5 {
                let (asked, kept) = (server.requests.count, try folder.size("early.bin.part"))
                let program = try Program([url, "--output", "quiet"], in: folder)
                switch round {
                case 0: break
                case 1: try await eventually("a request") { server.requests.count > asked }
                default: try await folder.wait(for: "early.bin.part", toHave: kept + 1 + (round - 2) * 12_000)
                }
                program.signal(SIGKILL)
                _ = try await program.wait()
                try expect(folder.names().isEmpty || folder.names() == ["early.bin.part"])
            }
            try expectEqual(folder.names(), ["early.bin.part"], "it was killed while it moved")
            let result = try await Program.run(url, "--output", "quiet", in: folder)
            expectEqual(result.code, 0)
            try expectEqual(folder.names(), ["early.bin"])
            try folder.expectSeeded("early.bin", size: 2 << 20)
        }
    }

    @Test(arguments: FileReceiver.Kind.plain) func `is resumed over FTP and SFTP`(kind: FileReceiver.Kind) async throws
    {
        let server = try await FileReceiver(kind)
        let folder = try TestFolder()
        try server.root.writeRandom(3_000_000, to: "x.bin")
        let url = server.url("x.bin")
        let program = try Program(
            [url, "--limit-rate-each", "700K", "--output", "quiet"], in: folder, environment: server.environment)
        try await folder.wait(for: "x.bin.part", toHave: 300_000)
        program.signal(SIGKILL)
        _ = try await program.wait()
        let kept = try folder.size("x.bin.part")
        let result = try await Program([url, "--output", "json"], in: folder, environment: server.environment).wait()
        expectEqual(result.code, 0, "\(result.errors)")
        let opened = try result.events().first { $0["event"] as? String == "headers" }
        expectEqual(opened?["have"] as? Int, kept, "\(result.output.prefix(2000))")
        if let ftp = server.ftp { try expectEqual(ftp.restarts(), [kept - 4096]) }
        try expectEqual(folder.bytes("x.bin"), server.root.bytes("x.bin"))
        try expectEqual(folder.names(), ["x.bin"])
    }
}
