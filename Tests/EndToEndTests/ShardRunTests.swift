import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A run of a shard` {
    /// Fetches all shards of a list, one after the other.
    ///
    /// - Parameter input: for standard input; `nil`: the list is `urls.txt`.
    private func runAll(
        _ count: Int, in folder: TestFolder, input: String? = nil, _ more: [String] = []
    ) async throws -> [Program.Result] {
        var results: [Program.Result] = []
        for index in 0..<count {
            let list = input == nil ? "urls.txt" : "-"
            results.append(
                try await Program(
                    ["-i", list, "-d", "got", "--shard", "\(index)/\(count)", "--state-dir", "state\(index)"] + more,
                    in: folder, input: input
                ).wait())
        }
        return results
    }

    @Test func `fetches with the others every entry exactly once, of a list that grows too`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            var lines = (0..<40).map { server.url("\($0).bin", "size=100") }
            lines.append(lines[3])
            lines.append(server.url("named", "size=100") + "\n  out=in/other.bin")
            try folder.write(lines.joined(separator: "\n"), to: "urls.txt")
            let results = try await runAll(2, in: folder)
            expect(results.allSatisfy { $0.code == 0 })
            expect(results[0].errors.contains("of 41 entries"), "\(results[0].errors)")
            for number in 0..<40 { expectEqual(server.downloads(of: "\(number).bin"), 1) }
            expectEqual(server.downloads(of: "named"), 1)
            expect(folder.exists("got/in/other.bin"))
            server.forget()
            lines.insert(contentsOf: (40..<60).map { server.url("\($0).bin", "size=100") }, at: 0)
            try folder.write(lines.joined(separator: "\n"), to: "urls.txt")
            try await expect(runAll(2, in: folder).allSatisfy { $0.code == 0 })
            for number in 40..<60 { expectEqual(server.downloads(of: "\(number).bin"), 1) }
            expectEqual(server.requests.count { $0.method == "GET" }, 20, "nothing that was there is fetched again")
        }
    }

    @Test func `takes its part of a Metalink and of standard input`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let files = (0..<12).map {
                "<file name='m\($0).bin'><url>\(server.url("m\($0).bin", "size=50"))</url></file>"
            }
            let metalink = "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\(files.joined())</metalink>"
            let escaped = metalink.replacingOccurrences(of: "&", with: "&amp;")
            let results = try await runAll(2, in: folder, input: escaped)
            expect(results.allSatisfy { $0.code == 0 }, "\(results.map(\.errors))")
            for number in 0..<12 { expectEqual(server.downloads(of: "m\(number).bin"), 1) }
        }
    }

    @Test func `says its part in JSON, and ends well when it has none of the list`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(server.url("one.bin", "size=10"), to: "urls.txt")
            let results = try await runAll(2, in: folder, ["--output", "json"])
            expectEqual(results.map(\.code), [0, 0])
            let lines = try results.map { try $0.events() }
            for (index, events) in lines.enumerated() {
                expectEqual(events.first?["event"] as? String, "shard", "\(events)")
                expectEqual(events.first?["shard"] as? Int, index)
                expectEqual(events.first?["shards"] as? Int, 2)
                expectEqual(events.first?["of"] as? Int, 1)
            }
            let entries = lines.compactMap { $0.first?["entries"] as? Int }
            expectEqual(entries.sorted(), [0, 1])
            let without = try lines.first { $0.first?["entries"] as? Int == 0 }.unwrapped("the shard without an entry")
            expectEqual(without.map { $0["event"] as? String }, ["shard", "queue"])
            expect(results.contains { $0.errors.contains(": 0 of 1 entry") })
        }
    }

    @Test func `resumes another shard's files only without a list`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            // So many that no shard is empty, whatever the port of the server.
            let lines = (0..<24).map { server.url("\($0).bin", "size=32K", "ratefirst=16K") }
            try folder.write(lines.joined(separator: "\n"), to: "urls.txt")
            func start(_ shard: String) throws -> Program {
                try Program(
                    ["-i", "urls.txt", "-d", "got", "-j", "24", "--shard", shard, "--state-dir", "state"], in: folder)
            }
            let first = try start("0/2")
            try await eventually("a request") { !server.requests.isEmpty }
            first.signal(SIGTERM)
            try await expectEqual(first.wait().code, 7)
            let ofFirst = Set(server.requests.map(\.path))
            server.forget()
            let second = try await start("1/2").wait()
            expectEqual(second.code, 0)
            let ofSecond = Set(server.requests.map(\.path))
            expect(ofSecond.isDisjoint(with: ofFirst))
            expect(second.errors.contains("from an earlier run; run `winch --state-dir state` to"), "\(second.errors)")
            server.forget()
            // Without a list the rest of the first shard goes on, whatever shard is set.
            let rest = try await Program(
                ["--state-dir", "state", "--output", "plain"], in: folder, environment: ["WINCH_SHARD": "1/2"]
            ).wait()
            expectEqual(rest.code, 0, "\(rest.errors)")
            expect(Set(server.requests.map(\.path)).isDisjoint(with: ofSecond))
            try expectEqual(folder.names("got"), (0..<24).map { "\($0).bin" }.sorted())
        }
    }

    @Test func `is checked, served and shown`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(
                (0..<20).map { server.url("\($0).bin", "size=10") }.joined(separator: "\n"), to: "urls.txt")
            let check = try await Program(["check", "--shard", "1/2", "urls.txt"], in: folder).wait()
            expect(check.code == 0 && check.output.contains("shard 1/2: ") && check.output.contains(" of 20 entries"))
            let served = try await Program(
                ["serve", "-i", "urls.txt", "-d", "got", "--foreground", "--until-done", "--shard", "1/2"], in: folder
            ).wait()
            expectEqual(served.code, 0, "\(served.errors)")
            let count = try folder.names("got").count
            expect((1..<20).contains(count))
            let terminal = try await Tmux(folder)
            try await terminal.winch("-i urls.txt -d here --shard 1/2 --ephemeral")
            _ = try await terminal.wait(for: "· urls.txt, shard 1/2")
            _ = try await terminal.wait(for: "\(count) of \(count) done")
            try await terminal.press("q")
        }
    }
}
