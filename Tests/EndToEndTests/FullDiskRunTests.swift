import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// A file system of two megabytes in memory.
final class SmallDisk {
    let scratch: TestFolder
    let path: String

    /// Whether this process may make one.
    static let isAvailable = (try? SmallDisk()) != nil

    init?() throws {
        scratch = try TestFolder()
        path = scratch.path("disk")
        guard mkdir(path, 0o755) == 0, mount("tmpfs", path, "tmpfs", 0, "size=2m") == 0 else { return nil }
    }

    deinit { umount(path) }
}

/// Whole runs on a file system of two megabytes.
@Suite(.serialized, .enabled(if: SmallDisk.isAvailable, "no right to mount")) struct `A full disk during a run` {
    @Test func `pauses the transfers of its folder, which continue when there is space again`() async throws {
        let disk = try require(SmallDisk())
        let ballast = disk.path + "/ballast"
        try Data(count: 1_500_000).write(to: URL(fileURLWithPath: ballast))
        try await FaultServer.serving { server in
            // Without a Content-Length the lack of space is found only while writing.
            let urls = [
                server.url("unseen") + "?size=900K&chunked", server.url("seen") + "?size=800K",
                server.url("other") + "?size=900K\n  dir=elsewhere",
            ]
            try disk.scratch.write(urls.joined(separator: "\n"), to: "urls.txt")
            let program = try Program(
                ["-i", "urls.txt", "-d", "disk", "--output", "json", "--space-wait", "60"], in: disk.scratch)
            try await eventually("two that wait, and the other") {
                let said = program.outputSoFar
                return said.components(separatedBy: "\"awaitingSpace\"").count > 2
                    && said.contains("\"path\":\"other\"")
            }
            try disk.scratch.expectSeeded("elsewhere/other", size: 900 << 10)
            unlink(ballast)
            let result = try await program.wait()
            expectEqual(result.code, 0, "\(result.errors)")
            try disk.scratch.expectSeeded("disk/unseen", size: 900 << 10)
            try disk.scratch.expectSeeded("disk/seen", size: 800 << 10)
        }
    }

    @Test func `is avoided by not starting a file that cannot fit, and the unattended run ends`() async throws {
        let disk = try require(SmallDisk())
        try await FaultServer.serving { server in
            try disk.scratch.write(
                [server.url("huge") + "?size=5M", server.url("small") + "?size=100K"].joined(separator: "\n"),
                to: "urls.txt")
            let result = try await Program.run(
                "-i", "urls.txt", "-d", "disk", "--output", "plain", "--space-wait", "5", in: disk.scratch)
            expectEqual(result.code, 9, "\(result.output)\(result.errors)")
            expect(result.output.contains("the whole disk of \(disk.path) has 2.0 MiB"))
            try expectEqual(disk.scratch.names("disk"), ["small"], "not even begun")
        }
    }

    @Test func `of the state folder is told by a session's commands, until its queue is saved after all`() async throws
    {
        let disk = try require(SmallDisk())
        func winch(_ arguments: String...) async throws -> Program.Result {
            try await Program(arguments + ["--state-dir", "disk/state"], in: disk.scratch).wait()
        }
        let words = "the queue cannot be saved: \(disk.path)/state/ledger.sqlite: database or disk is full"
        try await expectEqual(winch("serve", "--hold").code, 0)
        let ballast = disk.path + "/ballast"
        func fill(andAdd numbers: Range<Int>) async throws {
            let rest = open(ballast, O_WRONLY | O_CREAT, 0o600)
            let block = [UInt8](repeating: 0, count: 4096)
            while Glibc.write(rest, block, block.count) > 0 {}
            close(rest)
            let urls = numbers.map { "http://127.0.0.1:1/\($0)" }
            try disk.scratch.write(urls.joined(separator: "\n"), to: "urls.txt")
            let added = try await winch("add", "-i", "urls.txt")
            expect(added.output.contains(" added"), "\(added.output)")
            expect(added.errors.contains("warning: \(words)"), "\(added.errors)")
        }
        try await fill(andAdd: 0..<2000)
        let status = try await winch("status")
        expect(status.errors.contains("warning: \(words)"), "\(status.errors)")
        unlink(ballast)
        try await eventually("all is saved") { try await winch("status").errors.isEmpty }
        try await fill(andAdd: 2000..<6000)
        let stopped = try await winch("stop")
        expectEqual(stopped.code, 1)
        expect(stopped.errors.contains("what it did last is lost: \(words)"), "\(stopped.errors)")
    }
}
