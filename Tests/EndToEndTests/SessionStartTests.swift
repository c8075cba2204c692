import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// How sessions begin, and how entries come into them.
@Suite(.serialized) struct `A session that is started`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func rows() async throws -> [[String: Any]] {
        try await require(report()["transfers"] as? [[String: Any]])
    }

    private func names() async throws -> [String] { try await rows().compactMap { $0["name"] as? String }.sorted() }

    @Test func `with the same list again has each file once, in an absolute folder`() async throws {
        try await FaultServer.serving { server in
            let urls = [server.url("one", "size=10"), server.url("two", "size=20000000", "rate=20000")]
            try folder.write(urls.joined(separator: "\n"), to: "list")
            for _ in 0..<2 {
                let started = try await winch("serve", "-i", "list", "-d", "sub")
                expectEqual(started.code, 0, "\(started.errors)")
                try await expectEqual(names(), ["one", "two"])
                let folders = try await rows().compactMap { $0["folder"] as? String }
                expect(folders.allSatisfy { $0.hasPrefix("/") && $0.hasSuffix("/sub") }, "\(folders)")
                try await eventually("the small file") { folder.exists("sub/one") }
                try await expectEqual(winch("stop").code, 0)
            }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `and ended by a signal while its list is added tells that it has not all of it`(signal: Int32) async throws {
        try folder.write((1...10_000).map { "http://127.0.0.1:9/\($0)\n" }.joined(), to: "list")
        let session = try program(["serve", "--foreground", "-i", "list", "--hold"])
        // The empty tables take 70 KB, and the first 500 entries 100 KB.
        try await folder.wait(for: "state/ledger.sqlite-wal", toHave: 250_000)
        session.signal(signal)
        let result = try await session.wait()
        expectEqual(result.code, 7, "\(result.errors)")
        let cut = "the list was not read to its end; run the command again for the rest"
        expect(result.errors.contains(cut), "\(result.errors)")
    }

    @Test func `with a list on standard input has what it names, and is called winch`() async throws {
        let started = try await winch("serve", "-i-", input: "http://127.0.0.1:9/a\n")
        expectEqual(started.code, 0, "\(started.errors)")
        let pid = try require(started.output.firstMatch(of: /process (\d+)/)?.output.1)
        try expectEqual(String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8), "winch\n")
        try await expectEqual(names(), ["a"])
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `does not add what is in its list, and names absolute folders`() async throws {
        let first = try await winch("add", "-d", "sub", "http://127.0.0.1:9/a")
        expect(first.code == 0 && first.output.contains("1 added; to be saved in /"), "\(first.errors)")
        expect(first.output.contains("a session was started"))
        let again = try await winch("add", "-d", "sub", "http://127.0.0.1:9/a", "http://127.0.0.1:9/b")
        expect(!again.output.contains("a session was started"))
        expect(again.output.contains("1 added, 1 in the list already"), "\(again.output)")
        let folders = try await rows().compactMap { $0["folder"] as? String }
        expect(folders.count == 2 && folders.allSatisfy { $0.hasPrefix("/") && $0.hasSuffix("/sub") }, "\(folders)")
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `says which files it cannot verify by a checksum list, and gets none when that is all`() async throws {
        try folder.write(String(repeating: "1", count: 64) + "  a\n", to: "SUMS")
        let none = try await winch("add", "http://127.0.0.1:9/get?id=5", "--sums", "SUMS")
        expectEqual(none.code, 32)
        expect(none.errors.contains("nothing was added; a session does not look up names"), "\(none.errors)")
        let some = try await winch("add", "http://127.0.0.1:9/a", "http://127.0.0.1:9/get?id=5", "--sums", "SUMS")
        expectEqual(some.code, 0)
        expect(some.errors.contains("1 of 2 files not listed there"), "\(some.errors)")
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `by several commands at once has what each of them adds`() async throws {
        let programs = try (0..<4).map { try program(["add", "http://127.0.0.1:9/\($0)"]) }
        for program in programs {
            let result = try await program.wait()
            expectEqual(result.code, 0, "\(result.errors)")
        }
        try await expectEqual(names(), ["0", "1", "2", "3"])
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `by an addition with a settings file says so, and obeys it`() async throws {
        try folder.write("limit-rate=20K\n", to: "my.conf")
        let first = try await winch("add", "--config", "my.conf", "http://127.0.0.1:9/a")
        expect(first.output.contains("started for it with the settings of --config "), "\(first.output)")
        let status = try await winch("status").output
        expect(status.contains("limit 20.0 KiB/s"), "\(status)")
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `is not started for entries that are wrong`() async throws {
        try await expectEqual(winch("add", "notaurl").code, 64)
        try await expectEqual(winch("add").code, 64)
        try await expectEqual(winch("status").code, 69)
    }

    @Test func `names the wrong line of a long list`() async throws {
        let lines = ["not a url at all"] + (0..<700).map { "http://127.0.0.1:9/\($0)" }
        try folder.write(lines.joined(separator: "\n"), to: "list")
        let started = try await winch("serve", "--hold", "-i", "list")
        expect(started.code == 0 && started.errors.contains("list:1: error"), "\(started.errors)")
        expectEqual(started.errors.components(separatedBy: "list:1:").count, 2, "it is told once")
        try await expectEqual(winch("stop").code, 0)
    }

    @Test func `ends at once when it has nothing to do until it is done`() async throws {
        let result = try await winch("serve", "--foreground", "--until-done")
        expectEqual(result.code, 0, "\(result.errors)")
    }
}
