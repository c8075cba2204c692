import FaultServer
import Foundation
import TestSupport
import Testing

/// nginx from Debian, on loopback, plain and with TLS and HTTP/2.
@Suite(.serialized) struct `A real server` {
    @Test func `serves many transfers over one HTTP-2 connection`() async throws {
        let nginx = try await Nginx()
        let folder = try TestFolder()
        for index in 0..<20 { try nginx.root.write(String(repeating: "x", count: 300_000), to: "h\(index)") }
        try folder.write((0..<20).map { "\(nginx.secure)/h\($0)" }.joined(separator: "\n"), to: "urls.txt")
        let result = try await Program.run(
            "-i", "urls.txt", "-j", "8", "--cacert", nginx.certificate, "--output", "quiet", in: folder)
        expectEqual(result.code, 0, "\(result.errors)")
        let log = try nginx.root.text("../access.log").split(separator: "\n")
        expectEqual(log.count { $0.contains("GET") && $0.contains("HTTP/2.0") }, 20)
        expectAtMost(Set(log.map { $0.split(separator: " ")[0] }).count, 2, "connections used")
    }

    @Test func `receives many files over one HTTP-2 connection`() async throws {
        let nginx = try await Nginx(receives: true)
        let folder = try TestFolder()
        let names = (0..<60).map { "f\($0)" }
        for name in names { try folder.write(String(repeating: name, count: 7000), to: name) }
        let options = ["--create-dirs", "-j", "8", "--cacert", nginx.certificate, "--output", "quiet"]
        let result = try await Program(["put"] + names + ["\(nginx.secure)/new/"] + options, in: folder).wait()
        expectEqual(result.code, 0, "\(result.errors)")
        for name in names { try expectEqual(nginx.root.text("new/\(name)"), String(repeating: name, count: 7000)) }
    }

    @Test func `that has a file where an empty folder is to be refuses that folder alone`() async throws {
        let nginx = try await Nginx(receives: true)
        let folder = try TestFolder()
        for path in ["new", "file", "there"].map({ folder.path("tree/" + $0) }) + [nginx.root.path("tree/there")] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try nginx.root.write("old", to: "tree/file")
        let result = try await Program.run("put", "-r", "tree", nginx.plain + "/", "--output", "json", in: folder)
        expectEqual(result.code, 17, "\(result.output)")
        try expect(result.reason().contains("a file has this name"), "\(result.output)")
        expectEqual(try result.events().count { $0["event"] as? String == "failed" }, 1, "\(result.output)")
        try expectEqual(nginx.root.names("tree"), ["file", "new", "there"])
    }
}

@Suite struct `An FTP server behind an HTTP proxy` {
    /// libcurl would ask the proxy for the file, or to store it, and take any answer for a success.
    @Test(arguments: [["ftp://127.0.0.1:1/x"], ["put", "sent", "ftp://127.0.0.1:1/x"]])
    func `is reached by CONNECT only`(command: [String]) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("1", to: "sent")
            let options = ["--proxy", server.origin, "--max-tries", "1", "--ephemeral"]
            let result = try await Program(command + options, in: folder).wait()
            expectEqual(result.code, 6)
            expect(result.output.contains("proxy: status 404"), "\(result.output)")
            try expectEqual(folder.names(), ["sent"])
        }
    }
}
