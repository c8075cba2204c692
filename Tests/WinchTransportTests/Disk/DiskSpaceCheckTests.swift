import FaultServer
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5)), .serialized) struct `A full disk` {
    /// A file system of one megabyte, where this process may make one.
    private final class SmallDisk {
        let folder: TemporaryFolder

        init?() {
            guard let folder = try? TemporaryFolder(), mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else {
                return nil
            }
            self.folder = folder
        }

        deinit { umount(folder.path) }
    }

    @Test func `fails the transfer and keeps the bytes so far`() async throws {
        guard let disk = SmallDisk() else { return }
        try await FaultServer.serving { server in
            let rig = try Rig(folder: disk.folder)
            // A file that cannot fit is not started.
            let large = try await rig.fetch(server.url("large", "size=3M"), id: 9)
            expectEqual(
                large.failure,
                .diskFull(
                    folder: disk.folder.path, needs: ByteCount(bytes: 3 << 20), size: ByteCount(bytes: 1 << 20)))
            expectEqual(large.openings, [])
            expectEqual(disk.folder.names, [])
            // Without a length the failure occurs only when the disk is full.
            let full = try await rig.fetch(server.url("big", "size=3M", "chunked"))
            expectEqual(full.failure, .diskFull(folder: disk.folder.path))
            let kept = try require(full.kept)
            expectMore(kept.have.bytes, than: 500_000)
            try expectEqual(disk.folder.bytes("big.part"), FaultServer.content("big", kept.have.bytes))
            try await expectEqual(
                rig.fetch(server.url("small", "size=60K"), id: 2).failure, .diskFull(folder: disk.folder.path))
            rig.transport.discard(TransferID(1), kept, folder: disk.folder.path, addresses: [])
            // The kernel frees the blocks of a large file shortly after its name is removed.
            var events: [TransportEvent] = []
            for _ in 0..<1000 where events.saved == nil {
                events = try await rig.fetch(server.url("fits", "size=900K"), id: 3)
            }
            expectEqual(events.saved, "fits")
            expectEqual(disk.folder.names, ["fits"])
            await rig.transport.shutDown()
        }
    }
}
