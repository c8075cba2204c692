import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite struct `A file that changes with each request` {
    /// All versions have the same size. A part of one must never be resumed from another.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["etag=v", "noetag&lastmodified=0", "noetag", "ranges=careless&etag=v", "ranges=bare&etag=v"])
    func `never becomes a mix of versions in 20 rounds`(options: String) async throws {
        try await Rig.serving { server, rig in
            var random = SystemRandomNumberGenerator()
            var mixed: [String] = []
            for round in 1...20 {
                let size = Int64.random(in: 70_000...200_000, using: &random)
                let drop = Int64.random(in: 1..<size, using: &random)
                let name = "swap\(round)"
                let url = server.url(name) + "?size=\(size)&change=1&dropfirst=\(drop)&" + options
                let attempts = try await rig.fetchAll(url, id: round)
                expectEqual(attempts.last?.saved, name, "round \(round) at \(drop) of \(size)")
                let got = try rig.folder.bytes(name)
                let isWhole = (0..<8).contains { got == SeededContent(name: name, version: $0).bytes(in: 0..<size) }
                if !isWhole { mixed.append("\(name): \(drop) of \(size)") }
            }
            expect(mixed.isEmpty)
            expectEqual(rig.folder.names.count, 20)
        }
    }
}
