import CTransport
import Glibc
import WinchCore

/// Makes finished bodies into files: checked, on the disk for good, under their names. On threads of its own, so that
/// the network goes on meanwhile.
///
/// Order, for every file: the bytes are on the disk, then the file gets its name, then the folder is on the disk, then
/// it is reported. Small files go through this together: one call for many costs no more than for one.
final class Finisher: Sendable {
    private let queue = FinishQueue()
    private let naming: FileNaming
    private let deliver: @Sendable ([FinishResult]) -> Void

    /// From here on one synchronisation of the whole file system is cheaper than one for each file.
    private static let batch = 16
    /// Two: one file's checksum must not hold up another's writing back.
    private static let largeThreads = 2

    /// - Parameter deliver: called on the finisher's threads.
    init(names: NameRegistry, deliver: @escaping @Sendable ([FinishResult]) -> Void) {
        naming = FileNaming(names: names)
        self.deliver = deliver
    }

    /// - Returns: false when the system gives no threads.
    func start() -> Bool {
        var isRunning = Threads.start { self.finishSmall() }
        for _ in 0..<Self.largeThreads { isRunning = Threads.start { self.finishLarge() } && isRunning }
        return isRunning
    }

    func finish(_ jobs: [FinishJob], isUrgent: Bool) { queue.add(jobs, isUrgent: isUrgent) }

    /// Starts writing back, so that the wait at the end is short.
    func writeBack(_ file: Descriptor, from: Int64, length: Int64) {
        queue.add(.writeBack(file, from: from, length: length))
    }

    /// Closes a file without a name.
    func drop(_ file: Descriptor) { queue.add(.drop(file)) }

    /// The threads end when all is done.
    func end() { queue.end() }
}

/// Files one by one.
extension Finisher {
    private func finishLarge() {
        while let task = queue.takeLarge() {
            switch task {
            case .finish(let job): deliver([finishAlone(job)])
            case .writeBack(let file, let from, let length): winch_start_writeback(file.number, from, length)
            case .drop: break
            }
        }
    }

    private func finishAlone(_ job: FinishJob) -> FinishResult {
        let ending: FinishResult.Ending
        do throws(TransferFailure) {
            try verify(job)
            try sync(job)
            ending = try name(job)
            sync(job.folder)
        } catch {
            ending = .failed(error)
        }
        return FinishResult(id: job.id, stamp: job.stamp, ending: ending)
    }

    private func verify(_ job: FinishJob) throws(TransferFailure) {
        guard let checksum = job.checksum else { return }
        try FileDigest.check(try opened(job), path: job.folder.path(of: job.partName), against: checksum)
    }

    private func sync(_ job: FinishJob) throws(TransferFailure) {
        let code = try opened(job).sync()
        guard code == 0 else { throw failure(code, job) }
    }

    private func name(_ job: FinishJob) throws(TransferFailure) -> FinishResult.Ending {
        guard job.claim.take() else {
            job.folder.unlink(job.partName)
            return .abandoned
        }
        if job.isMarked { PartAttributes.remove(from: try opened(job)) }
        return .done(try naming.name(job), size: job.size)
    }

    private func sync(_ folder: TargetFolder) { _ = folder.descriptor.sync() }

    private func opened(_ job: FinishJob) throws(TransferFailure) -> Descriptor {
        if let file = job.file { return file }
        let number = openat(job.folder.descriptor.number, job.partName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw failure(errno, job) }
        return Descriptor(number)
    }

    private func failure(_ code: Int32, _ job: FinishJob) -> TransferFailure {
        DiskFailure.file(code, path: job.folder.path(of: job.partName), folder: job.folder.path)
    }
}

/// Files by the hundred.
extension Finisher {
    /// Named, but the folder is not on the disk yet.
    private struct Named {
        var result: FinishResult
        var folder: TargetFolder
    }

    private func finishSmall() {
        var named: [Named] = []
        while let jobs = queue.takeSmall(mayWait: named.isEmpty) {
            if jobs.isEmpty {
                settle(&named)
                continue
            }
            named = finishTogether(jobs, &named)
        }
        settle(&named)
    }

    /// - Parameter before: of the batch before this; made durable by the same call, then reported.
    private func finishTogether(_ jobs: [FinishJob], _ before: inout [Named]) -> [Named] {
        var isSynced = false
        if jobs.count + before.count >= Self.batch {
            isSynced = syncFileSystems(of: jobs.map(\.folder) + before.map(\.folder))
            if isSynced {
                deliver(before.map(\.result))
                before = []
            }
        }
        settle(&before)
        return jobs.map { job in
            let ending: FinishResult.Ending
            do throws(TransferFailure) {
                try verify(job)
                if !isSynced { try sync(job) }
                ending = try name(job)
            } catch {
                ending = .failed(error)
            }
            return Named(result: FinishResult(id: job.id, stamp: job.stamp, ending: ending), folder: job.folder)
        }
    }

    /// Puts the folders on the disk and reports.
    private func settle(_ named: inout [Named]) {
        guard !named.isEmpty else { return }
        var seen: Set<TargetFolder.Identity> = []
        for entry in named where seen.insert(entry.folder.identity).inserted { sync(entry.folder) }
        deliver(named.map(\.result))
        named = []
    }

    /// False when it did not work, and each file must be seen to by itself.
    private func syncFileSystems(of folders: [TargetFolder]) -> Bool {
        var seen: Set<UInt64> = []
        for folder in folders where seen.insert(folder.identity.device).inserted {
            guard winch_sync_file_system(folder.descriptor.number) == 0 else { return false }
        }
        return true
    }
}
