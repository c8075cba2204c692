import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `File services shared by two transports` {
    private let folder: TemporaryFolder
    private let first: Rig
    private let second: Rig

    init() throws {
        folder = try TemporaryFolder()
        let files = try FileServices()
        first = try Rig(folder: folder, files: files)
        second = try Rig(folder: folder, files: files)
    }

    @Test func `assign each name once`() async throws {
        try await FaultServer.serving { server in
            try first.start(server.url("a/x", "size=2M", "stall=1"), id: 1)
            _ = await first.events(of: 1) { if case .opened = $0 { true } else { false } }
            try await expectEqual(second.fetch(server.url("b/x", "size=10"), id: 2).saved, "x.1")
            first.transport.close(ConnectionID(transfer: TransferID(1)), discarding: true)
            await expectEqual(first.settled(1).last, .stopped(kept: nil))
            expectEqual(folder.names, ["x.1"])
            try await expectEqual(second.fetch(server.url("c/x", "size=20"), id: 3).saved, "x")
        }
    }

    @Test func `report each file to its own transport`() async throws {
        try await FaultServer.serving { server in
            for id in 1...60 {
                try (id % 2 == 0 ? first : second).start(server.url("f\(id)", "size=\(id * 31)"), id: id)
            }
            let even = await first.settledAll(30)
            let odd = await second.settledAll(30)
            expect(even.keys.allSatisfy { $0.number % 2 == 0 })
            expect(odd.keys.allSatisfy { $0.number % 2 == 1 })
            expectEqual(folder.names.count, 60)
        }
    }
}
