import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A local problem` {
    @Test func `with a folder that is removed is detected while bytes arrive`() async throws {
        try await Rig.serving { server, rig in
            let path = rig.folder.path + "/gone"
            try rig.start(server.url("f", "size=10M", "rate=200K"), below: "/gone")
            _ = await rig.events { $0.position ?? 0 > 0 }
            unlink(path + "/f.part")
            rmdir(path)
            let events = await rig.settled()
            expectEqual(events.failure, .readWrite(path, reason: "removed during the download"))
            expectNil(events.kept)
        }
    }
}
