import FaultServer
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A download fault` {
    /// The server sends more after the body, or declares less than it sends; at once or in pieces.
    @Test(
        arguments: [
            (["size=1000", "extra=500"], 1000), (["size=1000", "length=400"], 400), (["size=3000000", "length=1"], 1),
            (["size=3000000", "extra=900000"], 3_000_000), (["size=3000000", "length=2999999"], 2_999_999),
            (["size=900000", "length=0"], 0), (["size=3000000", "length=700001", "rate=6000000"], 700_001),
            (["size=3000000", "dropfirst=1000000", "extra=900000"], 3_000_000),
        ] as [([String], Int64)])
    func `never leads to more bytes on disk than were declared`(options: [String], announced: Int64) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("l") + "?" + options.joined(separator: "&")
            var events = try await rig.fetch(url)
            if let kept = events.kept {
                expectAtMost(kept.have.bytes, announced)
                events += try await rig.fetch(url, resume: kept)
            }
            expectEqual(events.saved, "l")
            expect(events.counts.allSatisfy { $0 <= announced }, "\(events.counts)")
            try expectEqual(rig.folder.bytes("l"), FaultServer.content("l", announced))
        }
    }
}
