/// A row as `QueueCopy` stores it. Of the rows of a long list nearly all wait, or are complete: those take 56 bytes without
/// the text of the name, less than half of a `TransferSnapshot`. Any other row has its snapshot on the heap.
struct QueueCopyRow: Sendable {
    /// Not in `snapshot` alone, so that many rows have the text once.
    private var name: String
    private var urls: MirrorList
    private var content: Content
    private var phase: Phase
    private var direction: Direction
    private var number: UInt32
    /// The indices of the host's name and of the folder in the mirror's list.
    private var host: Int32
    private var folder: Int32

    private enum Content: Sendable {
        /// An unknown size with its estimate, or the size that a probe or an earlier run knows. No bytes are on disk, unless the
        /// transfer is complete: then this is the exact size of the file.
        case estimate(Int64)
        case size(Int64)
        case snapshot(Snapshot)
    }

    /// The phases that can be stored without a snapshot.
    private enum Phase: UInt8, Sendable {
        case waiting, paused, cancelled, saved
    }

    private final class Snapshot: Sendable {
        let row: TransferSnapshot

        init(_ row: TransferSnapshot) {
            self.row = row
        }
    }

    /// - Parameters:
    ///   - host: the index of the host's name in the mirror's list.
    ///   - folder: the index of the folder in it.
    init(_ row: TransferSnapshot, host: Int32, folder: Int32) {
        (name, number, direction) = (row.name, UInt32(clamping: row.id.number), row.direction)
        (urls, self.host, self.folder) = (row.urls, host, folder)
        (phase, content) = (.waiting, .snapshot(Snapshot(row)))
        guard let plain = Self.plainPhase(of: row) else { return }
        var small = self
        small.phase = plain
        small.content = row.size.known.map { .size($0.bytes) } ?? .estimate(row.size.guess.bytes)
        // Whatever the small form cannot hold makes a difference here.
        if small.snapshot(host: row.host, folder: row.folder) == row { self = small }
    }

    /// - Parameters:
    ///   - host: the host's name.
    ///   - folder: the target folder.
    func snapshot(host: String, folder: String) -> TransferSnapshot {
        let (have, size): (Int64, SizeKnowledge)
        switch content {
        case .snapshot(let stored): return stored.row
        case .estimate(let bytes): (have, size) = (0, .unknown(estimate: ByteCount(bytes: bytes)))
        case .size(let bytes) where phase == .saved: (have, size) = (bytes, .exact(ByteCount(bytes: bytes)))
        case .size(let bytes): (have, size) = (0, .probed(ByteCount(bytes: bytes)))
        }
        return TransferSnapshot(
            id: id, direction: direction, name: name, host: host, urls: urls, folder: folder, phase: transferPhase,
            have: ByteCount(bytes: have), size: size)
    }

    var id: TransferID { TransferID(Int(number)) }
    /// As given to `init`.
    var hostIndex: Int { Int(host) }
    var folderIndex: Int { Int(folder) }

    private static func plainPhase(of row: TransferSnapshot) -> Phase? {
        switch row.phase {
        case .waiting(.slot): .waiting
        case .paused: .paused
        case .cancelled: .cancelled
        case .finished(.saved): .saved
        case .waiting, .connecting, .requested, .moving, .backoff, .replying, .verifying, .finished, .failed: nil
        }
    }

    private var transferPhase: TransferPhase {
        switch phase {
        case .waiting: .waiting(.slot)
        case .paused: .paused
        case .cancelled: .cancelled
        case .saved: .finished(.saved(path: name))
        }
    }
}
