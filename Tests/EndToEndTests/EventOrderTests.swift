import FaultServer
import Foundation
import TestSupport
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
            expectEqual(
                names(events, of: 1),
                [
                    "added", "started", "headers", "redirected", "headers", "redirected", "headers", "moved",
                    "verifying", "finished",
                ])
            expectEqual(
                events.filter { $0["event"] as? String == "headers" && $0["id"] as? Int == 1 }
                    .map { $0["status"] as? Int }, [302, 302, 200])
            expectEqual(names(events, of: 2), ["added", "started", "failed"])
            expectEqual(
                names(events, of: 3),
                [
                    "added", "started", "retrying", "started", "headers", "moved", "verifying", "finished",
                ])
            let ends = events.indices.filter { events[$0]["event"] as? String == "queueFinished" }
            expectEqual(ends.count, 1)
            // Only the totals come after it.
            expect(events[(ends.first ?? 0)...].dropFirst().allSatisfy { $0["event"] as? String == "queue" })
        }
    }
}
