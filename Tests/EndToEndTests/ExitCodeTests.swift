import FaultServer
import Foundation
import TestSupport
import Testing

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
        ["--cacert", "nowhere", "https://h/x"],
    ])
    func `is 64 for a wrong command line`(arguments: [String]) async throws {
        let result = try await Program(arguments, in: try TestFolder()).wait()
        expectEqual(result.code, 64)
        expect(!result.errors.isEmpty)
    }

    @Test func `is 13 when the name is taken, and the existing file is not changed`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("mine", to: "x")
            let result = try await Program.run(
                server.url("x", "size=4"), "--on-conflict", "fail", "--output", "quiet", in: folder)
            expectEqual(result.code, 13)
            try expectEqual(folder.text("x"), "mine")
            try expectEqual(folder.names(), ["x"])
        }
    }
}
