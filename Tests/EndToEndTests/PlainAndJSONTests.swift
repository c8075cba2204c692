import FaultServer
import Foundation
import Testing

@Suite struct `Output without a dashboard` {
    @Test func `is plain lines without escape sequences`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let hostile =
                server.origin + "/f/x?size=100&disposition="
                + "attachment; filename=\"a\u{1B}[31mb.txt\"".percentEncoded
            let result = try await Program.run(hostile, server.url("no.txt", "status=410"), in: folder)
            #expect(!result.output.utf8.contains(0x1B))
            #expect(!result.errors.utf8.contains(0x1B))
            #expect(result.lines.contains { $0.contains("no.txt") && $0.contains("410 gone") })
            #expect(try folder.names().count == 1)
        }
    }

    @Test func `is JSON whose rows add up to the totals`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let urls = [
                server.url("a.bin", "size=2M", "rate=4M"), server.url("b.bin", "size=1M", "chunked"),
                server.url("c.bin", "size=3M", "dropfirst=1M", "ranges=off"), server.url("d.bin", "status=404"),
                server.url("e.bin", "size=1M", "headlength=5M", "latency=0.6"),
            ]
            try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
            let result = try await Program.run(
                "-i", "urls.txt", "-j", "2", "--output", "json", "--retry-wait", "0.05", in: folder)
            #expect(result.code == 3)
            let events = try result.events()
            var (completed, total) = (0, 0)
            var lastPercent: [Int: Double] = [:]
            for event in events {
                completed += event["delta"] as? Int ?? 0
                total += event["deltaTotal"] as? Int ?? 0
                #expect(completed >= 0 && completed <= total)
                guard let id = event["id"] as? Int, let percent = event["percent"] as? Double else { continue }
                if event["event"] as? String == "rebase" { lastPercent[id] = nil }
                #expect(percent >= lastPercent[id] ?? 0 && percent <= 100, "\(event)")
                lastPercent[id] = percent
            }
            let names = events.compactMap { $0["event"] as? String }
            #expect(names.count { $0 == "queueFinished" } == 1)
            #expect(names.count { $0 == "added" } == 5)
            let queue = try events.last { $0["event"] as? String == "queue" }.unwrapped("a queue line")
            #expect(queue["completed"] as? Int == completed)
            #expect(queue["total"] as? Int == total)
            #expect(completed == total)
            #expect(queue["fraction"] as? Double == 1)
            #expect(queue["failed"] as? Int == 1)
        }
    }

    @Test func `is empty in quiet mode`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(server.url("a", "size=9"), "--output", "quiet", in: folder)
            #expect(result.code == 0)
            #expect(result.output.isEmpty && result.errors.isEmpty)
        }
    }

    @Test func `works with a batch from standard input, also gzipped`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                "-i", "-", "--output", "quiet", in: folder, input: server.url("in.txt", "size=77") + "\n")
            #expect(result.code == 0)
            try folder.write(server.url("zipped.txt", "size=78") + "\n", to: "urls")
            try await InstalledTool.run("/bin/gzip", [folder.path("urls")])
            #expect(try await Program.run("-i", "urls.gz", "--output", "quiet", in: folder).code == 0)
            #expect(try folder.names() == ["in.txt", "urls.gz", "zipped.txt"])
        }
    }
}

extension String {
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
