import FaultServer
import Hashing
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `Finishing a download` {
    @Test func `ends with a file or with nothing when cancelled`() async throws {
        try await Rig.serving { server, rig in
            for id in 1...40 {
                let size = id.isMultiple(of: 2) ? "2K" : "2M"
                try rig.start(server.url("x\(id)", "size=\(size)"), id: id)
                _ = await rig.events(of: id) { if case .bodyEnded = $0 { true } else { false } }
                rig.transport.close(ConnectionID(transfer: TransferID(id)), discarding: true)
                switch await rig.settled(id).last {
                case .stopped(kept: nil): expect(!rig.folder.names.contains("x\(id)"))
                case .finished(.saved(let path), _): expect(rig.folder.names.contains(path))
                case let other: Issue.record("\(String(describing: other))")
                }
            }
            expect(!rig.folder.names.contains { $0.hasSuffix(".part") })
        }
    }

    @Test func `continues when the transfer is paused`() async throws {
        try await Rig.serving { server, rig in
            try rig.start(server.url("p", "size=2M"))
            _ = await rig.events { if case .bodyEnded = $0 { true } else { false } }
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            await expectEqual(rig.settled().saved, "p")
        }
    }

    @Test func `is completed before shutdown, which keeps the parts`() async throws {
        try await Rig.serving { server, rig in
            try rig.start(server.url("slow", "size=10M", "stall=1M"), id: 1)
            _ = await rig.events(of: 1) { if case .moved = $0 { true } else { false } }
            for id in 2...30 { try rig.start(server.url("q\(id)", "size=100"), id: id) }
            // They come over connections of their own, and end in any order.
            var left = 29
            for await report in rig.reports {
                if case .bodyEnded = report.event { left -= 1 }
                if left == 0 { break }
            }
            await rig.transport.shutDown()
            expectEqual(rig.folder.names.filter { $0.hasPrefix("q") }.count, 29)
            expect(rig.folder.names.contains("slow.part"))
            try rig.start(server.url("late", "size=1"), id: 99)
            await expectEqual(rig.settled(99).last, .stopped(kept: nil))
        }
    }
}
