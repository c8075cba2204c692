import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// Sessions: runs that go on without a terminal.
@Suite(.serialized) struct `A session`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Runs a command that must succeed, and whose output must have some words.
    private func expectRun(
        _ arguments: String..., says words: String = "", location: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await program(arguments).wait()
        expect(
            result.code == 0 && (words.isEmpty || result.output.contains(words)), "\(result.output)\(result.errors)",
            sourceLocation: location)
    }

    private func expectRun(code: Int32, _ arguments: String..., location: SourceLocation = #_sourceLocation)
        async throws
    {
        let result = try await program(arguments).wait()
        expectEqual(result.code, code, "\(result.output)\(result.errors)", sourceLocation: location)
    }

    private func stop() async throws { try await expectRun("stop", says: "session stopped; partial files are kept") }

    @Test func `downloads without a terminal what is added, and keeps the list`() async throws {
        try await FaultServer.serving { server in
            let started = try await winch("serve", server.url("a", "size=300000"))
            expect(started.code == 0 && started.output.contains("winch attach"), "\(started.output)\(started.errors)")
            let again = try await winch("serve")
            expect(again.code == 1 && again.errors.contains("winch add"), "\(again.errors)")
            try folder.write("\(server.url("b", "size=1000"))\n  out=sub/other\n", to: "list")
            try await expectRun("add", "-i", "list", server.url("gone", "status=404"), says: "2 added")
            let table = try await status(has: "2 of 3 done, 1 failed")
            expect(table.contains("failed") && table.contains("404"), "\(table)")
            try await expectRun("add", server.url("gone", "status=404"), says: "0 added, 1 started anew")
            try await status(has: "2 of 3 done, 1 failed")
            try folder.expectSeeded("a", size: 300_000)
            expect(folder.exists("sub/other"))
            try await expectRun("sessions", says: "(default)  process")
            try await stop()
            try await expectRun(code: 69, "status")
            // The failed one is what the next session begins with.
            try await expectRun("serve")
            let reopened = try await status(has: "1 failed")
            expect(reopened.contains("gone"), "\(reopened)")
            try await stop()
        }
    }

    @Test func `carries out what scripts ask for`() async throws {
        try await FaultServer.serving { server in
            let urls = ["one", "two"].map { server.url($0, "size=20000000", "rate=20000") }
            try await expectRun("add", urls[0], urls[1])
            try await status(has: "2 active")
            try await expectRun("pause", "one", says: "1 transfer")
            try await status(has: "1 paused")
            let unknown = try await winch("pause", "three")
            expect(unknown.code == 1 && unknown.errors.contains("no transfer has \"three\" in its name"))
            let unclear = try await winch("cancel", "o")
            expect(unclear.code == 1 && unclear.errors.contains("1 one, 2 two"), "\(unclear.errors)")
            try await expectRun(code: 64, "pause")
            try await expectRun("cancel", "2")
            try await status(has: "1 cancelled")
            try await expectRun("remove", "two")
            try await expectRun("resume", "--all")
            let table = try await status(has: "0 of 1 done")
            expect(!table.contains("two"), "\(table)")
            let limits = "limit: 1.0 KiB/s\nlimit of uploads: 2.0 KiB/s\n"
            try await expectRun("limit", "1k", "--upload", "2k", says: limits)
            try await expectRun(code: 64, "limit")
            let report = try await report()
            let queue = report["queue"] as? [String: Any]
            expectEqual(queue?["rateLimit"] as? Double, 1024)
            expectEqual(queue?["uploadLimit"] as? Double, 2048)
            expectEqual((report["transfers"] as? [[String: Any]])?.first?["name"] as? String, "one")
            try await stop()
            expect(folder.exists("one.part"))
        }
    }

    @Test func `says why it cannot start`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("state"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        chmod(folder.path("state"), 0o777)
        let result = try await winch("serve")
        expect(result.code == 1 && result.errors.contains("other users may write in the folder"), "\(result.errors)")
        let wrong = try await winch("serve", "nonsense://x")
        expect(wrong.code != 0 && wrong.errors.contains("nonsense"), "\(wrong.errors)")
    }

    @Test func `with a name has a list of its own`() async throws {
        try await FaultServer.serving { server in
            try await expectRun("serve", "--session", "nightly", server.url("n", "size=10"))
            try await expectRun(code: 69, "status")
            try await expectRun("sessions", says: "nightly  process")
            // The variable chooses a session for the other commands; this one lists all by their names.
            let all = try await Program(
                ["sessions", "--state-dir", folder.path("state")], in: folder, environment: ["WINCH_SESSION": "other"]
            ).wait()
            expect(all.output.hasPrefix("nightly  process"), "\(all.output)\(all.errors)")
            try await expectRun("status", "--session", "nightly")
            try await expectRun("stop", "--session", "nightly")
            try await expectRun(code: 64, "status", "--session", "../x")
        }
    }

    @Test func `ends by itself when it is asked to, and says how`() async throws {
        try await FaultServer.serving { server in
            let result = try await winch(
                "serve", "--foreground", "--until-done", server.url("u", "size=10"), server.url("gone", "status=404"))
            expect(result.code != 0 && folder.exists("u"), "\(result.errors)")
            expect(result.errors.contains("winch: 1 finished in "), "\(result.errors)")
            expect(result.errors.contains("winch: failed: gone: "), "\(result.errors)")
        }
    }

    @Test func `is described by a unit that systemd accepts, and tells it when it is ready`() async throws {
        let unit = try await winch("serve", "--unit", "-i", "my list", "http://h/a%20b?x=$y", "--session", "night")
        expectEqual(unit.code, 0)
        try folder.write(unit.output, to: "winch-night.service")
        try await InstalledTool.run(
            "/usr/bin/env",
            [
                "XDG_RUNTIME_DIR=\(folder.url.path)", "/usr/bin/systemd-analyze", "--user", "verify",
                folder.path("winch-night.service"),
            ])
        let socket = try NotifySocket(folder.path("notify"))
        let session = try Program(
            ["serve", "--foreground", "--state-dir", folder.path("state")], in: folder,
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
        expectEqual(socket.next(), "READY=1")
        try await expectRun("status")
        session.signal(SIGTERM)
        expectEqual(socket.next(), "STOPPING=1")
        try await expectEqual(session.wait().code, 0)
    }
}

/// The socket of a service manager.
private final class NotifySocket {
    private let number: Int32

    init(_ path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        var wait = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try require(code == 0)
    }

    func next() -> String {
        var buffer = [UInt8](repeating: 0, count: 200)
        let count = recv(number, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    deinit { close(number) }
}
