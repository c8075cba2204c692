import FaultServer
import Foundation
import Testing

@Suite struct `The exit code` {
    @Test(
        arguments: [
            ("status=404", 3), ("status=403", 22), ("user=a&pass=b", 24), ("redirect=30", 23), ("status=503", 29),
            ("size=1M&stall=1000", 2), ("size=1M&length=2M", 22),
        ] as [(String, Int32)])
    func `is that of the failure when all failures are of the same kind`(options: String, code: Int32) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                server.origin + "/f/x?" + options, "--max-tries", "1", "--timeout", "2", "--output", "quiet",
                in: folder)
            #expect(result.code == code)
            #expect(!folder.exists("x"))
        }
    }

    @Test func `is 1 for failures of several kinds`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                server.url("x", "status=404"), server.url("y", "status=403"), "--output", "quiet", in: folder)
            #expect(result.code == 1)
        }
    }

    @Test func `distinguishes an unknown host from a refused connection`() async throws {
        let folder = try TestFolder()
        let unknown = try await Program.run("http://no-such-host.invalid/x", in: folder)
        #expect(unknown.code == 19)
        #expect(unknown.output.contains("no such host: no-such-host.invalid"))
        let refused = try await Program.run("http://127.0.0.1:1/x", "--max-tries", "1", in: folder)
        #expect(refused.code == 6)
        #expect(refused.output.contains("cannot connect to 127.0.0.1:1"))
        let proxied = try await Program.run(
            "http://h/x", "--proxy", "http://me:secret@127.0.0.1:1", "--max-tries", "1", in: folder)
        #expect(proxied.code == 6)
        #expect(proxied.output.contains("proxy: cannot connect to 127.0.0.1:1"))
    }

    @Test(arguments: [
        ["--no-such-option"], ["-j", "0", "http://h/x"], ["--limit-rate", "fast", "http://h/x"],
        ["-o", "../x", "http://h/x"], ["-o", "x", "http://h/x", "http://h/y"], ["--header", "no colon", "http://h/x"],
        ["--checksum", "md5=12", "http://h/x"], ["--output", "plain", "--ephemeral"],
        ["--cookies", "nowhere", "http://h/x"],
        ["--cacert", "nowhere", "https://h/x"],
    ])
    func `is 64 for a wrong command line`(arguments: [String]) async throws {
        let result = try await Program(arguments, in: try TestFolder()).wait()
        #expect(result.code == 64)
        #expect(!result.errors.isEmpty)
    }

    @Test func `is 13 when the name is taken, and the existing file is not changed`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("mine", to: "x")
            let result = try await Program.run(
                server.url("x", "size=4"), "--on-conflict", "fail", "--output", "quiet", in: folder)
            #expect(result.code == 13)
            #expect(try folder.text("x") == "mine")
            #expect(try folder.names() == ["x"])
        }
    }

    @Test func `is 17 for a folder that cannot be created, while other downloads continue`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("a file", to: "blocked")
            try folder.write(
                "\(server.url("x", "size=4"))\n dir=blocked/sub\n\(server.url("y", "size=4"))\n dir=free\n",
                to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", in: folder)
            #expect(result.code == 17)
            #expect(result.output.contains("blocked"))
            #expect(folder.exists("free/y"))
        }
    }

    @Test func `is 32 for a wrong checksum, and the file keeps the name of the part`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let wrong = String(repeating: "0", count: 64)
            let result = try await Program.run(
                server.url("x", "size=4000"), "--checksum", "sha-256=\(wrong)", in: folder)
            #expect(result.code == 32)
            #expect(try folder.names() == ["x.part"])
            let right = SeededContent(name: "x").sha256(size: 4000)
            let second = try await Program.run(
                server.url("x", "size=4000"), "-d", "b", "--checksum", "sha-256=\(right)", in: folder)
            #expect(second.code == 0)
            #expect(folder.exists("b/x"))
        }
    }
}
