import FaultServer
import Foundation
import Testing

@Suite struct `A run of the program` {
    @Test func `downloads every file completely and under the right name`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let sizes: [String: Int64] = [
                "one.bin": 1, "page.html": 4096, "odd.dat": 1_000_003, "large.iso": 20_000_000, "none.txt": 0,
            ]
            let batch = sizes.map { server.url($0, "size=\($1)") }.joined(separator: "\n")
            try folder.write(batch, to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", "-d", "got", "--output", "quiet", in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try folder.names("got") == sizes.keys.sorted())
            for (name, size) in sizes {
                #expect(try folder.sha256("got/\(name)") == SeededContent(name: name).sha256(size: size), "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("chunked", ["size=3M", "chunked"]), ("until close", ["size=3M", "nolength"]),
        ("after redirects", ["size=3M", "redirect=5"]), ("after a 503", ["size=3M", "status=503,200"]),
        ("dropped at every megabyte", ["size=3M", "drop=1M"]),
        ("dropped once, ranges refused", ["size=3M", "dropfirst=1M", "ranges=off"]),
        ("reset", ["size=3M", "dropfirst=1M", "reset"]),
        ("lied to about the range", ["size=3M", "dropfirst=1M", "ranges=lie"]),
        ("changed between two requests", ["size=3M", "drop=2M", "change=1"]),
    ])
    func `produces bit-exact files`(trouble: String, options: [String]) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let address = ([server.url("file.bin")] + options.map { String($0) }).joined(separator: "?")
                .replacing("?", with: "&").replacing("/file.bin&", with: "/file.bin?")
            let result = try await Program.run(
                address, "--output", "quiet", "--retry-wait", "0.05", "--max-tries", "8", in: folder)
            if trouble.hasPrefix("changed") || trouble.hasPrefix("lied") {
                // Either the right bytes of one version, or no file under the final name.
                guard result.code == 0 else { return #expect(!folder.exists("file.bin")) }
                let versions = (0..<20).map {
                    SeededContent(seed: SeededContent.seed(of: "file.bin"), version: $0).sha256(size: 3 << 20)
                }
                #expect(versions.contains(try folder.sha256("file.bin")))
            } else {
                #expect(result.code == 0, "\(trouble): \(result.errors)")
                #expect(try folder.sha256("file.bin") == SeededContent(name: "file.bin").sha256(size: 3 << 20))
            }
        }
    }

    @Test func `never saves an error page`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                server.url("gone.iso", "status=404", "errbody=500"), server.url("there.txt", "size=10"), "-d", "got",
                in: folder)
            #expect(result.code == 3)
            #expect(try folder.names("got") == ["there.txt"])
            #expect(result.output.contains("gone.iso"))
            #expect(result.output.contains("404 not found"))
        }
    }

    @Test func `tries mirrors in order`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let mirrors = [server.url("a", "status=404"), server.url("b", "status=500"), server.url("c", "size=5000")]
            try folder.write(mirrors.joined(separator: "\t") + "\n out=whole.bin\n", to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", "--retry-wait", "0.05", in: folder)
            #expect(result.code == 0, "\(result.output)")
            #expect(try folder.sha256("whole.bin") == SeededContent(name: "c").sha256(size: 5000))
        }
    }

    @Test func `keeps the parts when interrupted and reports it by its exit code`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let program = try Program([server.url("slow.bin", "size=50M", "rate=2M"), "--output", "plain"], in: folder)
            try await folder.wait(for: "slow.bin.part", toHave: 1)
            program.signal(SIGTERM)
            let result = try await program.wait()
            #expect(result.code == 7)
            #expect(try folder.names() == ["slow.bin.part"])
        }
    }

    @Test func `resumes its part when run again`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            // The first answer stops for good after 500 KiB, so the first run ends by its time.
            let address = server.url("again.bin", "size=6M", "drop=2M", "stallfirst=500K")
            _ = try await Program.run(address, "--max-tries", "1", "--max-time", "2", "--retry-wait", "9", in: folder)
            let kept = try folder.size("again.bin.part")
            try #require(kept > 0)
            let seen = server.requests(for: "again.bin").count
            let result = try await Program.run(address, "--retry-wait", "0.05", in: folder)
            #expect(result.code == 0)
            #expect(try folder.sha256("again.bin") == SeededContent(name: "again.bin").sha256(size: 6 << 20))
            let first = server.requests(for: "again.bin").dropFirst(seen).first { $0.method == "GET" }
            #expect(first?.range == "bytes=\(kept)-", "nothing is fetched twice")
        }
    }

    /// Only the least time is checked: on a busy machine a run is slower, never faster.
    @Test(arguments: [["--limit-rate", "400K"], ["--limit-rate-each", "200K"]])
    func `never exceeds its rate limit`(options: [String]) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let started = ContinuousClock.now
            let urls = [server.url("one.bin", "size=300K"), server.url("two.bin", "size=300K")]
            let result = try await Program(urls + options + ["--output", "quiet"], in: folder).wait()
            #expect(result.code == 0)
            #expect(ContinuousClock.now - started > .seconds(1.2))
            #expect(try folder.sha256("two.bin") == SeededContent(name: "two.bin").sha256(size: 300 << 10))
        }
    }

    @Test func `accepts short options joined to their values`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(server.url("a", "size=9"), to: "urls.txt")
            let result = try await Program.run("-iurls.txt", "-dgot", "-j16", "--output=quiet", in: folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try folder.names("got") == ["a"])
        }
    }
}
