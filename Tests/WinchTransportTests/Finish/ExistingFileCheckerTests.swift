import FaultServer
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A hash computation that takes long` {
    private static let anyChecksum = Checksum("md5=" + String(repeating: "0", count: 32))

    /// The hash cannot be ready when the program ends: until then both threads that finish large files are held.
    @Test func `is left to the next run when the program ends`() async throws {
        try await FaultServer.serving { server in
            let files = try FileServices()
            let rig = try Rig(threads: 1, files: files)
            let size: Int64 = 2 << 20
            rig.folder.write("big.part", FaultServer.content("big", size))
            let url = server.url("big", "size=\(size)", "etag=v")
            rig.folder.sign("big.part", url, total: size, etag: "v")
            let held = HeldThreads()
            defer { held.release() }
            // Now that the part is there: which parts a folder has is read when it is opened.
            let folder = try files.folders.folder(rig.folder.path)
            let jobs = (8...9).map { FinishJob.failing($0, for: held, in: folder) }
            files.finisher.finish(jobs, isUrgent: true)
            try await held.waits(for: 2)

            try rig.start(server.url("slow", "size=10M", "stall=1M"), id: 2) { $0.stallTimeout = .seconds(3600) }
            _ = await rig.events(of: 2) { if case .moved = $0 { true } else { $0.endsAttempt } }
            try rig.start(url) { $0.checksum = Self.anyChecksum }
            _ = await rig.events { if case .bodyEnded = $0 { true } else { $0.endsAttempt } }
            async let isDown: Void = rig.transport.shutDown()
            // The turn of the loop that stops this one has given up the hash before.
            _ = await rig.settled(2)
            held.release()
            let kept = try await require(rig.settled().kept)
            await isDown
            expectEqual(kept.have.bytes, size)
            expectEqual(kept.partPath, "big.part")
            expectEqual(rig.folder.names, ["big.part", "slow.part"])
            expectEqual(rig.folder.attribute("user.winch.url", of: "big.part"), url)
        }
    }

    @Test func `of an existing file reports its progress`() async throws {
        let rig = try Rig()
        // Sparse, so that the disk is not filled. No processor makes the MD5 hash of 256 MiB within the 100 ms between
        // two reports.
        let size: Int64 = 256 << 20
        rig.folder.write("big", [])
        try require(truncate(rig.folder.path + "/big", off_t(size)) == 0)
        // No server listens there: a request would fail.
        try rig.start("http://127.0.0.1:1/big") { $0.checksum = Checksum("md5=1f5039e50bd66b290c56684d8550c6c2") }
        let events = await rig.settled()
        let progress = events.compactMap { event -> Int64? in
            guard case .verified(let count, let whole) = event, whole.bytes == size else { return nil }
            return count.bytes
        }
        expect(!progress.isEmpty && progress == progress.sorted())
        expect(progress.allSatisfy { $0 < size })
        expectEqual(events.last, .finished(.alreadyComplete(path: "big"), size: ByteCount(bytes: size)))
    }

    @Test func `of an existing file does not delay others`() async throws {
        let files = try FileServices()
        let rig = try Rig(files: files)
        rig.folder.write("big", [7])
        rig.folder.write("small", [1, 2, 3])
        let held = HeldThreads()
        defer { held.release() }
        var settings = TransferSettings()
        settings.checksum = Self.anyChecksum
        let request = try ConnectionRequest("http://127.0.0.1:1/big", id: 9, in: rig.folder.path, settings)
        let big = try require(ExistingFile(request, in: files.folders))
        files.checker.check(big, for: held)
        try await held.waits(for: 1)
        // No server listens there: a request would fail.
        try rig.start("http://127.0.0.1:1/small") { $0.checksum = Checksum("md5=5289df737df57326fcdd22597afb1fac") }
        await expectEqual(rig.settled().last, .finished(.alreadyComplete(path: "small"), size: ByteCount(bytes: 3)))
    }
}

/// Keeps the threads of the file services that report to it, as a long hash would.
private final class HeldThreads: FileServicesClient {
    private let count = Mutex(0)
    private let isReleased = Mutex(false)

    func release() { isReleased.withLock { $0 = true } }

    func waits(for threads: Int) async throws {
        while count.withLock({ $0 }) < threads { try await Task.sleep(for: .milliseconds(2)) }
    }

    private func hold() {
        count.withLock { $0 += 1 }
        while !isReleased.withLock({ $0 }) { usleep(1000) }
    }

    func finished(_ results: [FinishResult]) { hold() }
    func wrote(_ checkpoint: Checkpoint) {}
    func hashed(_ progress: FinishProgress) {}
    func checked(_ file: ExistingFile, failure: TransferFailure?) { hold() }
    func checked(_ piece: PieceCheck, failure: TransferFailure?) {}
}

extension FinishJob {
    /// A large file whose part is gone: the thread that takes it fails and reports at once.
    fileprivate static func failing(
        _ id: Int, for client: any FileServicesClient, in folder: TargetFolder
    ) -> FinishJob {
        FinishJob(
            connection: ConnectionID(transfer: TransferID(id)), client: client, folder: folder, targetName: "gone",
            body: .part("gone.part", nil, nil), size: smallest + 1, conflict: .rename,
            attributes: PartAttributes(url: "http://h/gone", version: FileVersion()), claim: FinishClaim())
    }
}
