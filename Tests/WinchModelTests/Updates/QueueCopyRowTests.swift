import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A row of the queue's copy` {
    private static func snapshot(
        _ phase: TransferPhase, have: Int64 = 0, size: SizeKnowledge = .unknown(estimate: ByteCount(bytes: 16_384))
    ) -> TransferSnapshot {
        TransferSnapshot(
            id: TransferID(70_000), name: "disk.iso", host: "example.org", urls: urls, folder: "in", phase: phase,
            have: ByteCount(bytes: have), size: size)
    }

    private static let urls = MirrorList(["http://example.org/disk.iso"].compactMap { try? TransferURL($0) })

    private static let size = ByteCount(bytes: 5_000_000_000)

    private static let snapshots: [TransferSnapshot] = {
        var rows = [
            snapshot(.waiting(.slot)), snapshot(.waiting(.slot), size: .probed(size)),
            snapshot(.waiting(.slot), size: .declared(size)), snapshot(.waiting(.slot), have: 7),
            snapshot(.waiting(.slot), have: 7, size: .probed(size)), snapshot(.waiting(.held)),
            snapshot(.waiting(.space(folder: "/tmp"))), snapshot(.paused), snapshot(.paused, have: 7),
            snapshot(.cancelled), snapshot(.cancelled, size: .probed(size)), snapshot(.moving, have: 7),
            snapshot(.backoff(until: Moment(seconds: 3), attempt: 2, limit: 5, failure: .diskFull(folder: "/tmp"))),
            snapshot(.finished(.saved(path: "disk.iso")), have: size.bytes, size: .exact(size)),
            snapshot(.finished(.saved(path: "disk (1).iso")), have: size.bytes, size: .exact(size)),
            snapshot(.finished(.saved(path: "disk.iso")), have: 7, size: .exact(size)),
            snapshot(.finished(.saved(path: "disk.iso")), have: size.bytes, size: .declared(size)),
            snapshot(.finished(.skipped(path: "disk.iso")), have: size.bytes, size: .exact(size)),
            snapshot(.failed(.httpStatus(404))),
        ]
        var upload = snapshot(.waiting(.slot))
        upload.direction = .up
        var below = snapshot(.waiting(.slot))
        below.namedParts = 3
        var warned = snapshot(.finished(.saved(path: "disk.iso")), have: size.bytes, size: .exact(size))
        warned.rebase = Rebase(cause: .fileChanged, at: Moment(seconds: 1), completed: -5, total: 0)
        rows += [upload, below, warned]
        return rows
    }()

    @Test(arguments: snapshots.indices)
    func `is the snapshot that was stored`(index: Int) {
        let snapshot = Self.snapshots[index]
        let row = QueueCopyRow(snapshot, host: 3, folder: 4)
        expectEqual(row.snapshot(host: "example.org", folder: "in"), snapshot)
        expectEqual(row.id, snapshot.id)
        expect(row.hostIndex == 3 && row.folderIndex == 4)
    }

    @Test func `takes at most 56 bytes`() {
        expect(MemoryLayout<QueueCopyRow>.stride <= 56)
    }
}
