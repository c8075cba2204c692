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
