import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// Sensitive to time: connections are kept and reused by several threads.
@Suite(.timeLimit(.minutes(5))) struct `A transport of several threads` {
    /// Two files on two threads; then the first one gets a further connection, and the second one's is kept.
    @Test func `closes a kept connection to make room for a further one`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 2)
            try rig.start(server.url("large") + "?size=8M&rate=100K&etag=strong", id: 1)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            try await expect(rig.fetch(server.url("small") + "?size=10K", id: 2).saved != nil)
            try await Self.until { server.openConnections == 2 }
            try rig.start(
                server.url("large") + "?size=8M&rate=100K&etag=strong", id: 1, attempt: 1, isFurther: true)
            try await Self.until { server.totalConnections >= 3 }
            try await Self.until { server.openConnections == 2 }
            expectEqual(server.totalConnections, 3)
        }
    }

    @Test func `stops all and keeps the parts at its end`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 3)
            for id in 1...6 { try rig.start(server.url("part\(id)") + "?size=4M&stall=1M", id: id) }
            _ = await rig.events { $0.position ?? 0 > 0 }
            await rig.transport.shutDown()
            let ends = await rig.settledAll(6)
            expect(ends.values.allSatisfy { if case .stopped = $0 { true } else { false } })
            expect(rig.transport.end(within: .seconds(60)))
            try await Self.until { server.openConnections == 0 }
        }
    }

    private static func until(_ isTrue: () -> Bool) async throws {
        for _ in 0..<6000 where !isTrue() { try await Task.sleep(for: .milliseconds(10)) }
        expect(isTrue())
    }
}
