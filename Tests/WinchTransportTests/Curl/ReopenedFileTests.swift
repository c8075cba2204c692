import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A file that each connection opens` {
    @Test func `is no FIFO, no folder and no device but the empty one`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path + "/fifo"
        expectEqual(mkfifo(fifo, 0o600), 0)
        folder.write("file", [1])
        expect(ReopenedFile.fault(fifo)?.hasPrefix("a FIFO or pipe") == true)
        expectEqual(ReopenedFile.fault(folder.path), "a folder; a regular file is needed")
        expectEqual(ReopenedFile.fault("/dev/zero"), "a device or socket; a regular file is needed")
        for path in [folder.path + "/file", folder.path + "/missing", "/dev/null"] {
            expectNil(ReopenedFile.fault(path), "\(path)")
        }
    }

    /// libcurl would wait for a writer on the thread of all transfers.
    @Test func `fails its transfer as a FIFO, and no other`() async throws {
        try await Rig.serving { server, rig in
            let fifo = rig.folder.path + "/fifo"
            expectEqual(mkfifo(fifo, 0o600), 0)
            let failure = TransferFailure.readWrite(fifo, reason: ReopenedFile.fault(fifo) ?? "")
            let changes: [@Sendable (inout TransferSettings) -> Void] = [
                { $0.cookieFile = fifo }, { $0.caFile = fifo }, { $0.certificateFile = fifo }, { $0.keyFile = fifo },
            ]
            for (index, change) in changes.enumerated() {
                let events = try await rig.fetch(server.url("a", "size=10"), id: index + 1, settings: change)
                expectEqual(events.failure, failure, "\(index)")
            }
            try await expectEqual(rig.fetch(server.url("b", "size=10"), id: 9).saved, "b")
        }
    }
}
