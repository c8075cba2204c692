import FaultServer
import Testing

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A released transport` {
    /// Its handles were freed on the releasing thread while libcurl closed them on its own thread: sometimes a crash.
    @Test func `closes its open connections`() async throws {
        try await FaultServer.serving { server in
            for round in 0..<20 {
                let rig = try Rig()
                for id in 1...8 { try rig.start(server.url("\(round)-\(id)") + "?size=1M&stall=1", id: id) }
                _ = await rig.events(of: 8) { if case .opened = $0 { true } else { false } }
            }
            for _ in 0..<3000 where server.openConnections > 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(server.openConnections == 0)
            #expect(server.totalConnections >= 20)
        }
    }
}
