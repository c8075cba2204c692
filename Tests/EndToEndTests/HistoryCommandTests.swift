import FaultServer
import Foundation
import TestSupport
import Testing
import WinchLedger

@testable import WinchModel

@Suite struct `winch history` {
    /// Noon of 2026-11-21 in UTC.
    private static let noon = UnixTime(milliseconds: 1_795_262_400_000)

    /// A folder whose ledger has a saved, a failed and a cancelled transfer, with hostile names.
    private func makeFolder() async throws -> TestFolder {
        let folder = try TestFolder()
        let (ledger, opening) = try Ledger.open(stateFolder: folder.path("state/winch"), now: Self.noon)
        let outcomes: [(LedgerState, String)] = [
            (.finished(.saved(path: "big-archive-of-everything.tar.gz")), "big-archive-of-everything.tar.gz"),
            (.failed(.httpStatus(404)), "evil\u{1B}[2J\tname\u{202E}"), (.cancelled, "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字.bin"),
        ]
        ledger.record(
            try outcomes.enumerated().map { number, outcome in
                .put(
                    LedgerEntry(
                        key: LedgerKey(opening.firstKey.number + Int64(number)), rank: number,
                        spec: TransferSpec(
                            urls: [try TransferURL("https://me:s3cr3t@host.example/\(number)")], folder: "/home/me/got"),
                        standing: outcome.0, name: outcome.1, size: .exact(ByteCount(bytes: 2048)),
                        received: ByteCount(bytes: 4096), addedAt: Self.noon, startedAt: Self.noon,
                        settledAt: UnixTime(milliseconds: Self.noon.milliseconds + Int64(number) * 60_000)))
            })
        await ledger.close()
        return folder
    }

    private func run(_ arguments: String..., in folder: TestFolder) async throws -> Program.Result {
        try await Program(
            ["history"] + arguments, in: folder,
            environment: ["XDG_STATE_HOME": folder.path("state"), "TZ": "UTC"]
        ).wait()
    }

    @Test func `lists the newest transfers first, field by field`() async throws {
        let result = try await run(in: try await makeFolder())
        expectEqual(result.code, 0)
        expect(result.errors.isEmpty)
        expectEqual(
            result.lines,
            [
                "2026-11-21 12:02\tcancelled\t2048\t120\t漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字.bin\t/home/me/got\thttps://host.example/2\t",
                "2026-11-21 12:01\tfailed\t2048\t60\tevil?[2J?name?\t/home/me/got\thttps://host.example/1\t404 not found",
                "2026-11-21 12:00\tfinished\t2048\t0\tbig-archive-of-everything.tar.gz\t/home/me/got\thttps://host.example/0\t",
            ])
    }

    @Test(arguments: [
        (["HOST", "--failed", "--limit", "1", "--since", "2026-11-21 12:01"], ["1"]), (["s3cr3t"], []),
    ])
    func `finds the transfers that match the filters`(arguments: [String], found: [String]) async throws {
        let folder = try await makeFolder()
        let result = try await Program(
            ["history"] + arguments + ["--json", "--state-dir", folder.path("state/winch")], in: folder,
            environment: ["TZ": "UTC"]
        ).wait()
        expectEqual(result.code, 0)
        let urls = try result.events().map { $0["url"] as? String }
        expectEqual(urls, found.map { "https://host.example/\($0)" })
        expectEqual(result.errors.contains("nothing found"), found.isEmpty)
    }

    @Test func `fits the width of the terminal`() async throws {
        let tmux = try await Tmux(try await makeFolder(), columns: 80, environment: ["TZ": "UTC"])
        try await tmux.winch("history --state-dir state/winch; echo over-$((40+2))")
        try await tmux.wait(for: "over-42")
        let lines = try await tmux.screen().filter { $0.hasPrefix("2026-") || $0.hasPrefix("when") }
        try require(lines.count == 4, "\(lines)")
        expectEqual(lines.first?.hasPrefix("when"), true)
        expectEqual(lines.map { $0.dropFirst(18).prefix(4) }, ["outc", "canc", "fail", "fini"])
    }

    @Test func `reports an empty history and creates no files`() async throws {
        let folder = try TestFolder()
        let result = try await Program.run("history", in: folder)
        expectEqual(result.code, 0)
        expect(result.output.isEmpty)
        expectEqual(result.errors, "winch: History is empty\n")
        try expect(folder.names().isEmpty)
    }

    @Test func `uses the same paths as winch info`() async throws {
        let folder = try TestFolder()
        let given = try await Program.run("info", in: folder, environment: ["XDG_STATE_HOME": folder.path("x")])
        expect(given.output.contains("state     \(folder.path("x"))/winch/ledger.sqlite"))
        expect(given.output.contains("SQLite 3."))
        // A path that is not absolute counts as not given.
        let relative = try await Program.run("info", in: folder, environment: ["XDG_STATE_HOME": "x"])
        expect(relative.output.contains("state     \(folder.path(".local/state/winch/ledger.sqlite"))"))
    }

    @Test func `retries those that failed and match, and nothing else`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let state = ["--state-dir", folder.path("state")]
            try folder.write("\(server.url("one", "status=404"))\n\(server.url("two", "status=404"))\n", to: "list")
            let first = try await Program(["-i", "list", "--output", "plain"] + state, in: folder).wait()
            expectEqual(first.code, 3, "\(first.errors)")
            let before = server.requests.count
            let again = try await Program(["history", "--retry", "TWO"] + state, in: folder).wait()
            expectEqual(again.code, 3, "\(again.errors)")
            let paths = server.requests.dropFirst(before).map(\.path)
            expect(!paths.isEmpty && paths.allSatisfy { $0 == "/f/two" }, "\(paths)")
            try folder.write("12345", to: "form")
            let post = ["-T", "form", "--method", "POST", server.uploadURL("form", "status=422")] + state
            try await expect(Program(post, in: folder).wait().code != 0)
            let once = try await Program(["history", "--retry", "form"] + state, in: folder).wait()
            expect(once.errors.contains("nothing to retry"), "\(once.errors)")
        }
    }
}
