import FaultServer
import Foundation
import Testing

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
            #expect(
                names(events, of: 1) == [
                    "added", "started", "headers", "redirected", "headers", "redirected", "headers", "moved",
                    "verifying", "finished",
                ])
            #expect(
                events.filter { $0["event"] as? String == "headers" && $0["id"] as? Int == 1 }
                    .map { $0["status"] as? Int } == [302, 302, 200])
            #expect(names(events, of: 2) == ["added", "started", "failed"])
            #expect(
                names(events, of: 3) == [
                    "added", "started", "retrying", "started", "headers", "moved", "verifying", "finished",
                ])
            let ends = events.indices.filter { events[$0]["event"] as? String == "queueFinished" }
            #expect(ends.count == 1)
            // Only the totals come after it.
            #expect(events[(ends.first ?? 0)...].dropFirst().allSatisfy { $0["event"] as? String == "queue" })
        }
    }

    @Test func `report 100 percent only for what has finished, and only plausible times left`() async throws {
        try await FaultServer.serving { server in
            let events = try await events(
                [server.url("a.bin", "size=3M", "rate=2M"), server.url("b.bin", "size=2M", "rate=2M", "chunked")],
                "--progress", "accurate")
            for event in events {
                guard let percent = event["percent"] as? Int else { continue }
                let name = event["event"] as? String
                #expect(percent < 100 || name == "finished" || event["fraction"] as? Double == 1, "\(event)")
                if let fraction = event["fraction"] as? Double {
                    #expect(percent == Int((fraction * 100).rounded(.down)))
                }
            }
            let lines = events.filter { $0["event"] as? String == "queue" }
            #expect(lines.first?["eta"] is NSNull)
            #expect(lines.last?["eta"] is NSNull)
            #expect(lines.contains { $0["eta"] is Double })
            #expect(lines.allSatisfy { ($0["eta"] as? Double).map { $0 >= 0 && $0 < 60 } ?? true })
            let ofUnknown = events.filter { $0["id"] as? Int == 2 && $0["event"] as? String == "moved" }
            #expect(ofUnknown.allSatisfy { $0["size"] is NSNull && $0["percent"] == nil })
        }
    }
}
