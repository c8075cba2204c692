import FaultServer
import Foundation
import Glibc
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
            #expect(result.code == 0, "\(result.errors)")
            #expect(try isRight("a", folder))
            let gets = gets(server, "a")
            #expect(gets.first?.range == nil)
            #expect(gets.count > 2)
            #expect(gets.dropFirst().allSatisfy { $0.range != nil && $0.ifRange != nil })
            // What was on the way when the first connection was cut short comes twice, and no more.
            #expect(gets.reduce(0) { $0 + $1.bodyBytes } < Self.size + (1 << 20))
            let reasons = try result.events().filter { $0["event"] as? String == "connections" }
            #expect(!reasons.isEmpty)
            let open = reasons.compactMap { $0["open"] as? [[String: Any]] }
            #expect(open.count == reasons.count && open.allSatisfy { !$0.isEmpty })
            #expect(open.joined().allSatisfy { ($0["host"] as? String)?.isEmpty == false })
        }
    }

    /// Each takes seconds of waiting: three at a time.
    @Test func `has one connection when the user wants it so`() async throws {
        try await withThrowingTaskGroup { group in
            for options in [["--split", "1"], ["--min-split-size", "8M"], ["--per-host", "1"]] {
                group.addTask { try await checkOneConnection(options: options) }
            }
            try await group.waitForAll()
        }
    }

    /// Each takes seconds of waiting: four at a time.
    @Test func `has one connection where parts cannot be had, or cannot be told apart`() async throws {
        try await withThrowingTaskGroup { group in
            for manner in ["http10", "noetag", "ranges=off", "chunked"] {
                group.addTask { try await checkOneConnection(manner: manner) }
            }
            try await group.waitForAll()
        }
    }

    private func checkOneConnection(options: [String] = [], manner: String = "") async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a") + "?size=8M&rate=3M" + (manner.isEmpty ? "" : "&" + manner)
            let result = try await run(url, options, in: folder)
            #expect(result.code == 0, "\(options) \(manner): \(result.errors)")
            #expect(try isRight("a", folder), "\(options) \(manner)")
            #expect(gets(server, "a").count == 1, "\(options) \(manner)")
        }
    }

    /// The first request is answered well, the others are not. They take seconds of waiting: four at a time.
    @Test(
        arguments: [
            ["ranges=lie", "ranges=multipart", "ranges=refuse", "ranges=alternate"],
            ["ranges=bare", "change=1", "change=2", "contentrange=bytes%201-2/3"],
            ["contentrange=junk", "drop=300K", "drop=300K&reset", "status=200,503"],
            ["status=200,403", "status=200,200,close", "limit=3", "stallfirst=1M"],
        ])
    func `is never mixed from wrong parts`(manners: [String]) async throws {
        try await withThrowingTaskGroup { group in
            for manner in manners { group.addTask { try await checkParts(manner) } }
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
            try #require(result.code == 0, "\(manner) \(result.output.suffix(600))")
            #expect(content.contains(try folder.sha256("a")), "\(manner)")
        }
    }

    @Test func `asks a host that allows three no more than a few times for more`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await run(server.url("a", "size=8M", "rate=1M", "limit=3"), in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try isRight("a", folder))
            let gets = gets(server, "a")
            #expect(gets.count > 2)
            #expect(gets.count { $0.bodyBytes == 0 } < 6)
        }
    }

    /// The server has two names: it counts as two hosts.
    private func mirrors(_ server: FaultServer, _ other: String) -> String {
        let options = "?size=8M&rate=1M"
        return server.url("a") + options + "\t"
            + server.url(other).replacingOccurrences(of: "127.0.0.1", with: "localhost") + options
    }

    @Test(arguments: [true, false])
    func `comes from several mirrors at once under a checksum, else from one`(hasChecksum: Bool) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let sum = SeededContent(name: "a").sha256(size: Self.size)
            try folder.write(
                mirrors(server, "a") + (hasChecksum ? "\n checksum=sha-256=\(sum)\n" : "\n"), to: "list")
            let result = try await run("--input-file=list", ["--per-host", "2"], in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try isRight("a", folder))
            let hosts = Set(gets(server, "a").compactMap { $0.request.header("Host")?.prefix { $0 != ":" } })
            #expect(hosts == (hasChecksum ? ["127.0.0.1", "localhost"] : ["127.0.0.1"]))
        }
    }

    @Test func `is right although a mirror has another file of the same size`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let sum = SeededContent(name: "a").sha256(size: Self.size)
            try folder.write(mirrors(server, "b") + "\n checksum=sha-256=\(sum)\n", to: "list")
            let result = try await run("--input-file=list", ["--per-host", "2"], in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try isRight("a", folder))
            #expect(gets(server, "b").count > 0)
        }
    }

    @Test func `does not remember a single refusal of a host`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            _ = try await run(server.url("a", "size=8M", "rate=1M", "limit=2"), in: folder)
            let info = try await Program.run("info", "--hosts", in: folder)
            #expect(!info.output.contains("connections for one file"), "\(info.output) \(info.errors)")
            let result = try await run(server.url("b", "size=8M", "rate=1M"), in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(gets(server, "b").count > 1, "it has several connections")
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
                #expect(try await program.wait().code == -SIGKILL, "it was killed while it moved")
            }
            let before = gets(server, "a").reduce(0) { $0 + $1.bodyBytes }
            #expect(before > 0)
            #expect(gets(server, "a").count > 3, "it had several connections")
            let result = try await run(url, in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try isRight("a", folder))
            #expect(try folder.names() == ["a"])
        }
    }
}
