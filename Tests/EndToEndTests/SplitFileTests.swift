import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// One file over several connections, from a server that gives each connection little.
///
/// Sensitive to time: how many connections a file gets follows from measured rates.
@Suite(.serialized) struct `A file over several connections` {
    private static let size: Int64 = 8 << 20
    private static let environment = ["WINCH_SPLIT": "auto"]

    private func run(_ url: String, _ options: [String] = [], in folder: TestFolder) async throws -> Program.Result {
        try await Program(
            [url, "--output", "json", "--retry-wait", "0.1"] + options, in: folder, environment: Self.environment
        ).wait()
    }

    private func isRight(_ name: String, _ folder: TestFolder) throws -> Bool {
        try folder.sha256(name) == SeededContent(name: name).sha256(size: Self.size)
    }

    private func gets(_ server: FaultServer, _ name: String) -> [LoggedRequest] {
        server.requests(for: name).filter { $0.method == "GET" }
    }

    @Test func `comes sooner, and no byte of it twice`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await run(server.url("a", "size=8M", "rate=1M"), in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            try expect(isRight("a", folder))
            let gets = gets(server, "a")
            expectNil(gets.first?.range)
            expectMore(gets.count, than: 2)
            expect(gets.dropFirst().allSatisfy { $0.range != nil && $0.ifRange != nil })
            // What was on the way when the first connection was cut short comes twice, and no more.
            expectLess(gets.reduce(0) { $0 + $1.bodyBytes }, than: Self.size + (1 << 20))
            let reasons = try result.events().filter { $0["event"] as? String == "connections" }
            expect(!reasons.isEmpty)
            let open = reasons.compactMap { $0["open"] as? [[String: Any]] }
            expect(open.count == reasons.count && open.allSatisfy { !$0.isEmpty })
            expect(open.joined().allSatisfy { ($0["host"] as? String)?.isEmpty == false })
        }
    }

    @Test(arguments: [("--split=1", "size=8M"), ("--split=auto", "noetag")])
    func `has one connection when the user wants it so, or parts cannot be told apart`(
        option: String, manner: String
    ) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await run(server.url("a", "size=8M", "rate=3M", manner), [option], in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            try expect(isRight("a", folder))
            expectEqual(gets(server, "a").count, 1)
        }
    }

    /// The first request is answered well, the others are not. They take seconds of waiting: all at a time.
    @Test func `is never mixed from wrong parts`() async throws {
        try await withThrowingTaskGroup { group in
            for manner in [
                "ranges=lie", "change=1", "contentrange=bytes%201-2/3", "drop=300K&reset", "status=200,503",
                "stallfirst=1M", "dropfirst=3M&rangestatus=404", "dropfirst=3M&rangestatus=500", "rangestatus=304",
                "dropfirst=3M&rangestatus=302&header=Location:%20/f/page%3Ftype=text/html",
            ] {
                group.addTask { try await checkParts(manner) }
            }
            try await group.waitForAll()
        }
    }

    private func checkParts(_ manner: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a") + "?size=8M&rate=2M&header=Accept-Ranges:%20bytes&" + manner
            let result = try await run(url, ["--timeout", "2", "--max-tries", "12"], in: folder)
            let content = (0...3).map { SeededContent(name: "a", version: $0).sha256(size: Self.size) }
            // The first request alone would bring the file: the others must not make it fail.
            try require(result.code == 0, "\(manner) \(result.output.suffix(600))")
            expect(content.contains(try folder.sha256("a")), "\(manner)")
        }
    }

    @Test func `goes on after a kill with what each connection had brought`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a", "size=8M", "rate=1M")
            for megabytes in 1...3 {
                let program = try Program([url, "--output", "json"], in: folder, environment: Self.environment)
                try await eventually("\(megabytes) MB") {
                    let have = program.outputSoFar.matches(of: /"have":(\d+)/).compactMap { Int($0.output.1) }.max()
                    return (have ?? 0) >= megabytes * 1_000_000
                }
                program.signal(SIGKILL)
                try await expectEqual(program.wait().code, -SIGKILL, "it was killed while it moved")
            }
            let before = gets(server, "a").reduce(0) { $0 + $1.bodyBytes }
            expectMore(before, than: 0)
            expectMore(gets(server, "a").count, than: 3, "it had several connections")
            let result = try await run(url, in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            try expect(isRight("a", folder))
            try expectEqual(folder.names(), ["a"])
        }
    }
}
