import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The same URL added again` {
    @Test func `resumes from the part that a failure left`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("data", "size=300000", "dropfirst=100000")
            try await expectEqual(rig.fetch(url).kept?.have.bytes, 100_000)
            let events = try await rig.fetch(url, id: 2)
            expectEqual(events.openings.map(\.offset.bytes), [100_000])
            expectEqual(events.saved, "data")
            expectEqual(rig.folder.names, ["data"])
            try expectEqual(rig.folder.bytes("data"), FaultServer.content("data", 300_000))
        }
    }

    @Test func `finds a numbered file, also in another run`() async throws {
        try await Rig.serving { server, rig in
            let urls = (1...3).map { server.url("data", "size=\($0)00000", "seed=\($0)") }
            for (index, url) in urls.enumerated() { _ = try await rig.fetch(url, id: index + 1) }
            expectEqual(rig.folder.names, ["data", "data.1", "data.2"])
            server.forget()
            for other in [rig, try Rig(folder: rig.folder)] {
                let events = try await other.fetch(urls[2], id: 9)
                expectEqual(events.last, .finished(.alreadyComplete(path: "data.2"), size: ByteCount(bytes: 300_000)))
            }
            expectEqual(server.requests.map(\.status), [304, 304])
            expectEqual(rig.folder.names, ["data", "data.1", "data.2"])
        }
    }
}
