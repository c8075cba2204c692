import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `Checksum lists` {
    private func hash(_ name: String, _ size: Int64 = 5000) -> String { SeededContent(name: name).sha256(size: size) }
    private static let wrong = String(repeating: "0", count: 64)

    @Test func `apply to the files they name`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(
                "\(hash("good"))  good\n\(Self.wrong) *bad\nSHA256 (d/mine) = \(hash("named"))\nnonsense\n",
                to: "SHA256SUMS")
            try folder.write(
                """
                \(server.url("good", "size=5000"))
                \(server.url("bad", "size=5000"))
                \(server.url("named", "size=5000"))
                 out=d/mine
                \(server.url("unlisted", "size=5000"))
                """, to: "urls.txt")
            let result = try await Program.run("-i", "urls.txt", "--sums", "SHA256SUMS", "-d", "got", in: folder)
            expectEqual(result.code, 32, "\(result.output)")
            expect(result.errors.contains("SHA256SUMS:4: warning:"), "\(result.errors)")
            try expectEqual(folder.names("got"), ["bad.part", "d", "good", "unlisted"])
            expect(folder.exists("got/d/mine"))
        }
    }

    @Test func `may be downloaded first and are not kept`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let temporary = try TestFolder()
            let list = "\(hash("good"))  good\n\(Self.wrong)  bad\n"
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(list.utf8.count)\r\n\r\n\(list)"
            let result = try await Program.run(
                server.url("good", "size=5000"), server.url("bad", "size=5000"), "--sums", server.rawURL(answer),
                in: folder,
                environment: ["TMPDIR": temporary.url.path])
            expectEqual(result.code, 32, "\(result.output) \(result.errors)")
            try expectEqual(folder.names(), ["bad.part", "good"])
            try expectEqual(temporary.names(), [])
        }
    }

    @Test func `that name none of the files fail the run, which has verified nothing`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("\(Self.wrong)  disk-41\n", to: "SHA256SUMS")
            let result = try await Program.run(
                server.url("disk-42", "size=5000"), "--sums", "SHA256SUMS", "-d", "got", in: folder)
            expectEqual(result.code, 32, "\(result.output)")
            expect(result.errors.contains("--sums SHA256SUMS: none of the files is listed there: nothing was verif"))
            try expectEqual(folder.names("got"), ["disk-42"])
        }
    }

    @Test func `that cannot be read end the run before any download starts`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let missing = try await Program.run(
                server.url("x"), "--sums", server.url("SHA256SUMS", "status=404"), in: folder)
            expectEqual(missing.code, 3, "\(missing.errors)")
            expect(missing.errors.contains("404 not found"))
            let nowhere = try await Program.run(server.url("x"), "--sums", "nowhere", in: folder)
            expectEqual(nowhere.code, 64)
            let empty = try await Program.run(server.url("x"), "--sums", "/dev/null", in: folder)
            expectEqual(empty.code, 64, "as one that is missing")
            expect(empty.errors.hasPrefix("winch: --sums /dev/null: no checksums in it\n"), "\(empty.errors)")
            let large = try await Program.run(
                server.url("x"), "--sums", server.url("big", "size=17M"), in: folder)
            expectEqual(large.code, 1)
            expect(large.errors.contains("--max-size"), "\(large.errors)")
            expect(server.requests(for: "x").isEmpty)
        }
    }
}
