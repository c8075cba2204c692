import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The updates of a run that writes to standard output` {
    /// What the reporter gets.
    private final class Recorder: UpdateSubscriber {
        private let updates = Mutex<[Update]>([])

        func post(_ update: Update) { updates.withLock { $0.append(update) } }

        var events: [FeedEvent.Kind] { updates.withLock { $0.flatMap(\.events).map(\.kind) } }
        var totals: QueueTotals? { updates.withLock { $0.last?.totals } }
    }

    private static let size = 300_000
    private static let finished = FeedEvent.Kind.finished(.saved(path: "a"))
    private static let failed = FeedEvent.Kind.failed(
        .readWrite("standard output", reason: "No space left on device"))

    private let folder: TemporaryFolder
    private let recorder = Recorder()

    init() throws {
        folder = try TemporaryFolder()
        let file = open(folder.path + "/a", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try require(ftruncate(file, off_t(Self.size)) == 0)
        close(file)
    }

    private func update(_ kind: FeedEvent.Kind) -> Update {
        let (id, at, have) = (TransferID(1), Moment(seconds: 1), ByteCount(bytes: Int64(Self.size)))
        let row = TransferSnapshot(id: id, name: "a", host: "h", phase: .verifying, have: have)
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.active) = kind == Self.finished ? (1, 1, 0) : (1, 0, 1)
        let event = FeedEvent(id: id, at: at, kind: kind, have: have)
        return Update(rows: [id: row], totals: totals, events: [event], at: at)
    }

    @Test func `tell that the file is finished when its last byte is written`() async throws {
        var ends: [Int32] = [-1, -1]
        try require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let copier = FileToPipeCopier(paths: [folder.path + "/a"], output: ends[1])
        let delivered = DeliveredUpdates(copier, to: recorder)
        delivered.post(update(.moved))
        // A pipe has room for less.
        delivered.post(update(Self.finished))
        expectEqual(recorder.events, [.moved])
        var (bytes, count) = ([UInt8](repeating: 0, count: 64 << 10), 0)
        while count < Self.size {
            let got = read(ends[0], &bytes, bytes.count)
            try require(got > 0)
            count += got
        }
        await copier.finish()
        expectEqual(recorder.events, [.moved, Self.finished])
    }

    /// A pipe has room for less than is written at a time.
    @Test func `end when the server begins again while the first bytes wait for the reader`() async throws {
        var ends: [Int32] = [-1, -1]
        try require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let copier = FileToPipeCopier(paths: [folder.path + "/a"], output: ends[1])
        copier.start { _ in }
        copier.advance(to: Int64(Self.size))
        var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        try require(poll(&entry, 1, 60_000) == 1)
        copier.restart(at: 0)
        var (bytes, count) = ([UInt8](repeating: 0, count: 64 << 10), 0)
        while count < 256 << 10 {
            let got = read(ends[0], &bytes, bytes.count)
            try require(got > 0)
            count += got
        }
        await copier.finish()
        expectEqual(copier.failure, .takenBack(written: 256 << 10))
    }

    @Test(arguments: [true, false])
    func `tell of a failure, and of nothing else, when it cannot be written`(isComplete: Bool) async throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let copier = FileToPipeCopier(paths: [folder.path + "/a"], output: full)
        let delivered = DeliveredUpdates(copier, to: recorder)
        delivered.post(update(isComplete ? Self.finished : .moved))
        await copier.finish()
        expectEqual(recorder.events, isComplete ? [Self.failed] : [.moved, Self.failed, .queueFinished])
        let totals = try require(recorder.totals)
        expect(totals.allSettled && totals.failed == 1 && totals.finished == 0)
        delivered.post(update(Self.finished))
        expect(!recorder.events.contains(Self.finished))
    }
}
