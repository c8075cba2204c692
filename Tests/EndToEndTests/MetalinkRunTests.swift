import FaultServer
import Foundation
import Hashing
import TestSupport
import Testing

@Suite struct `A Metalink file` {
    private func hash(_ name: String, _ size: Int64 = 5000) -> String { SeededContent(name: name).sha256(size: size) }

    private func metalink(_ files: String...) -> String {
        "<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n"
            + files.joined(separator: "\n") + "\n</metalink>\n"
    }

    private func file(_ name: String, sha256: String? = nil, _ urls: String...) -> String {
        let hash = sha256.map { "<hash type=\"sha-256\">\($0)</hash>" } ?? ""
        let urls = urls.map { "<url>\($0.replacing("&", with: "&amp;"))</url>" }.joined()
        return "<file name=\"\(name)\"><size>5000</size>\(hash)\(urls)</file>"
    }

    @Test func `gives names, mirrors and checksums to its files`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let good = server.url("good", "size=5000")
            try folder.write(
                metalink(
                    file("d/mirrored", sha256: hash("good"), server.url("gone", "status=404"), good),
                    file("bad", sha256: String(repeating: "0", count: 64), server.url("bad", "size=5000")),
                    file("../out", server.url("out", "size=5000"))),
                to: "list.meta4")
            let result = try await Program.run("-i", "list.meta4", "-d", "got", in: folder)
            expectEqual(result.code, 32, "\(result.output) \(result.errors)")
            expect(
                result.errors.contains("list.meta4:5: error: <file name=\"../out\">: the name leaves the target folder")
            )
            try expectEqual(folder.names("got"), ["bad.part", "d"])
            expect(folder.exists("got/d/mirrored"))
            expect(server.requests(for: "out").isEmpty)
        }
    }

    /// Of 8 MiB, in pieces of 1 MiB.
    private func pieces(_ name: String, _ urls: String...) -> String {
        let content = SeededContent(name: name)
        let hashes = (0..<8 as Range<Int64>).map { index in
            "<hash>\(HashFunction.sha256.hash(content.bytes(in: index << 20..<(index + 1) << 20)).hex)</hash>"
        }
        let urls = urls.map { "<url>\($0.replacing("&", with: "&amp;"))</url>" }.joined()
        return "<file name=\"\(name)\"><size>8388608</size><pieces length=\"1048576\" type=\"sha-256\">"
            + hashes.joined() + "</pieces>\(urls)</file>"
    }

    @Test func `is printed by winch check, with its problems`() async throws {
        let folder = try TestFolder()
        try folder.write(
            metalink(
                file("images/a.iso", sha256: hash("a"), "https://user:pw@one/a", "http://two/a"),
                file("/etc/passwd", "http://h/p")),
            to: "x.meta4")
        let result = try await Program.run("check", "x.meta4", in: folder)
        expectEqual(result.code, 64)
        expect(result.errors.isEmpty, "what is wrong is said once: \(result.errors)")
        expectEqual(
            result.output,
            """
            x.meta4: 1 file
            images/a.iso
              size      4.8 KiB (5000 bytes)
              checksum  sha-256=\(hash("a"))
              pieces    none
              URLs      https://one/a
                        http://two/a
            x.meta4:4: error: <file name="/etc/passwd">: the name is absolute; give a path below the target folder
            1 valid entry, 1 problem

            """, "\(result.output)")
    }

    private func answer(_ metalink: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/metalink4+xml\r\nContent-Length: \(metalink.utf8.count)\r\n\r\n\(metalink)"
    }

    @Test func `at a URL is replaced by its files`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let list = metalink(
                file("d/a", sha256: hash("a"), server.url("a", "size=5000")),
                file("b", sha256: hash("b"), server.url("b", "size=5000")))
            let url = server.rawURL(answer(list))
            let result = try await Program.run(url, "-d", "got", "--output", "plain", in: folder)
            expectEqual(result.code, 0, "\(result.output) \(result.errors)")
            expect(result.output.contains("Metalink: 2 files added"), "\(result.output)")
            try expectEqual(folder.names("got"), ["b", "d"])
            expect(folder.exists("got/d/a"))
            let json = try await Program.run(url, "-d", "json", "--ephemeral", "--output", "json", in: folder)
            expect(json.output.contains("\"outcome\":\"listed\",\"files\":2"), "\(json.output)")
        }
    }

    @Test func `at a URL goes on with its file, and no message counts that as left by an earlier run`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let list = server.rawURL(answer(metalink(pieces("a", server.url("a", "size=8M", "ratefirst=1M")))))
            let words = [list, "-d", "got", "-s", "1", "--output", "plain", "--state-dir", "state"]
            let program = try Program(words, in: folder)
            try await folder.wait(for: "got/a.part", toHave: 400_000)
            program.signal(SIGKILL)
            _ = try await program.wait()
            let other = try await Program.run(server.url("b", "size=10"), "--state-dir", "state", in: folder)
            expect(other.errors.contains("1 unfinished transfer from an earlier run"), "\(other.errors)")
            let second = try await Program(words, in: folder).wait()
            expectEqual(second.code, 0, "\(second.output) \(second.errors)")
            expect(!second.errors.contains("earlier run"), "\(second.errors)")
            try expectEqual(folder.sha256("got/a"), hash("a", 8 << 20))
        }
    }

    /// As with `-i`: the mirrors are used at the same time, and a wrong piece is fetched again from another.
    @Test func `that a response names has its pieces checked, and its mirrors used at once`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let good = server.url("a", "size=8M", "rate=2M").replacing("127.0.0.1", with: "localhost")
            let list = server.rawURL(answer(metalink(pieces("a", good))))
            let link = "Link: <\(list)>; rel=describedby; type=application/metalink4+xml"
            let place = "Location: /f/a?size=8M&rate=2M&wrongbyte=1500K"
            let url = server.rawURL("HTTP/1.1 302 Found\r\n\(place)\r\nContent-Length: 0\r\n\(link)\r\n\r\n")
            let result = try await Program(
                [url, "-o", "a", "--output", "json"], in: folder, environment: ["WINCH_SPLIT": "auto"]
            ).wait()
            expectEqual(result.code, 0, "\(result.output.suffix(900)) \(result.errors)")
            try expectEqual(folder.sha256("a"), hash("a", 8 << 20))
            let gets = server.requests(for: "a").filter { $0.method == "GET" }
            expectLess(gets.reduce(0) { $0 + $1.bodyBytes }, than: 11 << 20)
            expect(result.output.contains(/127\.0\.0\.1:[0-9]+ sent it/), "\(result.output.suffix(900))")
            // More than the piece that was fetched again.
            let ofMirror = gets.filter { $0.request.header("Host")?.hasPrefix("localhost") == true }
            expectMore(ofMirror.reduce(0) { $0 + $1.bodyBytes }, than: 3 << 19, "\(result.output.suffix(900))")
        }
    }
}
