import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A run of the program` {
    @Test func `downloads every file completely and under the right name`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let sizes: [String: Int64] = [
                "one.bin": 1, "page.html": 4096, "odd.dat": 1_000_003, "large.iso": 6_000_000, "none.txt": 0,
            ]
            let batch = sizes.map { server.url($0, "size=\($1)") }.joined(separator: "\n")
            try folder.write(batch, to: "urls.txt")
            // Short options may be joined to their values.
            let result = try await Program.run("-iurls.txt", "-dgot", "-j16", "--output=quiet", in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            try expectEqual(folder.names("got"), sizes.keys.sorted())
            for (name, size) in sizes {
                try expectEqual(folder.sha256("got/\(name)"), SeededContent(name: name).sha256(size: size), "\(name)")
            }
        }
    }

    @Test func `keeps the total limit with many small files`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let names = (1...40).map { "f\($0)" }
            try folder.write(names.map { server.url($0, "size=10K") }.joined(separator: "\n"), to: "urls.txt")
            let began = ContinuousClock.now
            let result = try await Program.run(
                "-i", "urls.txt", "-d", "got", "--limit-rate", "200K", "--output", "quiet", in: folder)
            // 400 KiB: two seconds.
            expectMore(ContinuousClock.now - began, than: .seconds(1.6))
            expectEqual(result.code, 0, "\(result.errors)")
            for name in names {
                try expectEqual(folder.sha256("got/\(name)"), SeededContent(name: name).sha256(size: 10 << 10))
            }
        }
    }

    @Test func `takes a batch from standard input, or one that is gzipped`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                "-i", "-", "--output", "quiet", in: folder, input: server.url("in.txt", "size=77") + "\n")
            expectEqual(result.code, 0)
            try folder.write(server.url("zipped.txt", "size=78") + "\n", to: "urls")
            try await InstalledTool.run("/bin/gzip", [folder.path("urls")])
            try await expectEqual(Program.run("-i", "urls.gz", "--output", "quiet", in: folder).code, 0)
            try expectEqual(folder.names(), ["in.txt", "urls.gz", "zipped.txt"])
        }
    }
}

@Suite struct `The exit code` {
    @Test func `is 1 for failures of several kinds, such as an unknown host and a refused connection`() async throws {
        let folder = try TestFolder()
        let result = try await Program.run(
            "http://no-such-host.invalid/x", "http://127.0.0.1:1/x", "--max-tries", "1", in: folder)
        expectEqual(result.code, 1)
        expect(result.output.contains("no such host: no-such-host.invalid"))
        expect(result.output.contains("cannot connect to 127.0.0.1:1"))
    }

    @Test(arguments: [
        ["--no-such-option"], ["-o", "x", "http://h/x", "http://h/y"], ["--cookies", "nowhere", "http://h/x"],
        ["--cacert", "nowhere", "https://h/x"], ["-i", "nowhere"],
    ])
    func `is 64 for a wrong command line`(arguments: [String]) async throws {
        let result = try await Program(arguments, in: try TestFolder()).wait()
        expectEqual(result.code, 64)
        expect(!result.errors.isEmpty)
    }
}

/// ASIHTTPRequest's order of callbacks, as a script meets it in the JSON lines.
@Suite struct `Events in JSON` {
    private func events(_ urls: [String], _ options: String...) async throws -> [[String: Any]] {
        let folder = try TestFolder()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        let arguments = ["-i", "urls.txt", "--output", "json", "--retry-wait", "0.1"] + options
        return try await Program(arguments, in: folder).wait().events()
    }

    private func names(_ events: [[String: Any]], of id: Int) -> [String] {
        var names: [String] = []
        for event in events where event["id"] as? Int == id {
            guard let name = event["event"] as? String, !["sized", "rebase"].contains(name) else { continue }
            // `sized` may come at any time, and the number of `moved` events is arbitrary.
            if name != "moved" || names.last != "moved" { names.append(name) }
        }
        return names
    }

    @Test func `report started, headers, redirect, bytes, and finished or failed, and finally the end of the queue`()
        async throws
    {
        try await FaultServer.serving { server in
            let events = try await events([
                server.url("a.bin", "size=600K", "rate=1M", "redirect=2"), server.url("b.bin", "status=404"),
                server.url("c.bin", "size=600K", "rate=1M", "status=503,200"),
            ])
            expectEqual(
                names(events, of: 1),
                [
                    "added", "started", "headers", "redirected", "headers", "redirected", "headers", "moved",
                    "verifying", "finished",
                ])
            expectEqual(
                events.filter { $0["event"] as? String == "headers" && $0["id"] as? Int == 1 }
                    .map { $0["status"] as? Int }, [302, 302, 200])
            expectEqual(names(events, of: 2), ["added", "started", "failed"])
            expectEqual(
                names(events, of: 3),
                [
                    "added", "started", "retrying", "started", "headers", "moved", "verifying", "finished",
                ])
            let ends = events.indices.filter { events[$0]["event"] as? String == "queueFinished" }
            expectEqual(ends.count, 1)
            // Only the totals come after it.
            expect(events[(ends.first ?? 0)...].dropFirst().allSatisfy { $0["event"] as? String == "queue" })
        }
    }
}

@Suite struct `A name whose bytes are no UTF-8` {
    /// The shell makes the names: Swift's texts cannot hold them.
    @Test func `is the folder, the list, the source or the home folder that was meant`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let script = """
                set -e
                cd '\(folder.url.path)'
                d=$(printf 'Musik_f\\374r')
                l="$d/$(printf 'l\\351.txt')"
                mkdir "$d"
                export HOME="$PWD/$d" XDG_STATE_HOME= XDG_CONFIG_HOME=
                printf '%s\\n out=\\351.bin\\n' '\(server.url("b", "size=9"))' > "$l"
                '\(Program.winch)' --output quiet -d "$d" '\(server.url("a", "size=9"))'
                '\(Program.winch)' --output quiet -d "$d" -i "$l"
                '\(Program.winch)' put --output quiet "$l" '\(server.uploadURL("in/"))' --create-dirs
                test -s "$d/a"
                test -s "$d/$(printf '\\351.bin')"
                test -s "$d/.local/state/winch/ledger.sqlite"
                test "$(ls | wc -l)" = 1
                """
            let code = try await InstalledTool.code(
                "/bin/sh", ["-c", script], environment: Program.environment(in: folder))
            expectEqual(code, 0)
            expect(server.uploads.contains { $0.method == "PUT" && $0.request.target.contains("/in/l%E9.txt") })
        }
    }
}
