import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `Output without a dashboard` {
    @Test func `is plain lines without escape sequences`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let hostile =
                server.origin + "/f/x?size=100&disposition="
                + "attachment; filename=\"a\u{1B}[31mb.txt\"".percentEncoded
            let result = try await Program.run(hostile, server.url("no.txt", "status=410"), in: folder)
            expect(!result.output.utf8.contains(0x1B))
            expect(!result.errors.utf8.contains(0x1B))
            expect(result.lines.contains { $0.contains("no.txt") && $0.contains("410 gone") })
            try expectEqual(folder.names().count, 1)
        }
    }

    @Test func `works with a batch from standard input, also gzipped`() async throws {
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

extension String {
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
