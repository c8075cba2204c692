import CTransport
import DequeModule
import Dispatch
import Synchronization
import WinchModel

/// Turns complete bodies into files: verified, synced, under their names. On threads of its own, so that the network
/// goes on meanwhile.
///
/// Order, for every file: the bytes are on the disk, then the file gets its name, then the folder is on the disk, then
/// what marks the file as a part is removed, then it is reported.
final class Finisher: Sendable {
    private let small = WorkLine<FinishJob>()
    private let large = WorkLine<FinishJob>()
    private let chores = WorkLine<@Sendable () -> Void>()
    private let hashers = WorkLine<PartHasher>()
    /// No further file is expected soon: a batch is not waited for.
    private let isUrgent = Atomic<Bool>(false)
    private let steps: FinishSteps
    let budget = ContentBudget()

    /// Two: one file's checksum must not hold up another's writing back.
    private static let largeThreads = 2
    /// Two: a checkpoint must not wait until the blocks of a large file are free.
    private static let choreThreads = 2

    /// Ten a second: more changes than that cannot be seen.
    static let reportInterval: Duration = .milliseconds(100)

    init(names: NameRegistry) { steps = FinishSteps(names: names) }

    /// - Parameter threads: the finisher's join them.
    /// - Returns: false when the system gives no threads.
    func start(in threads: ThreadGroup) -> Bool {
        var isRunning = threads.start {
            BatchFinisher(steps: self.steps, budget: self.budget)
                .run(self.small) { self.isUrgent.load(ordering: .relaxed) }
        }
        isRunning = threads.start { self.hash() } && isRunning
        for _ in 0..<Self.largeThreads { isRunning = threads.start { self.finishLarge() } && isRunning }
        // Checkpoints must not wait for the checksums of large files.
        for _ in 0..<Self.choreThreads { isRunning = threads.start { self.doChores() } && isRunning }
        return isRunning
    }

    /// - Parameter isUrgent: nothing is under way that could bring more soon.
    func finish(_ jobs: [FinishJob], isUrgent: Bool) {
        self.isUrgent.store(isUrgent, ordering: .relaxed)
        small.add(jobs.filter(\.isSmall))
        large.add(jobs.filter { !$0.isSmall })
    }

    /// Starts writing back, so that the wait at the end is short.
    func writeBack(_ writer: PartWriter) {
        guard let range = writer.takeWriteBack() else { return }
        let file = writer.part.file
        chores.add([{ file.startWriteback(range) }])
    }

    func write(_ checkpoint: Checkpoint) { chores.add([{ checkpoint.write() }]) }

    /// Hashes the bytes that a file has got, beside the network.
    func hash(_ hasher: PartHasher) { hashers.add([hasher]) }

    /// By turns, so that no file waits for another's whole length. At the end the rest is left: a complete body is hashed to
    /// its end by the thread that finishes it.
    private func hash() {
        while let hasher = hashers.take(), !hashers.hasEnded {
            if hasher.advance() { hashers.add([hasher]) }
        }
    }

    /// The last reference of a file without a name: freeing its blocks takes a while.
    func drop(_ file: Descriptor) { chores.add([{ withExtendedLifetime(file) {} }]) }

    /// The threads end when all is done.
    func end() {
        small.end(waking: 1)
        large.end(waking: Self.largeThreads)
        chores.end(waking: Self.choreThreads)
        hashers.end(waking: 1)
    }

    private func finishLarge() {
        // The next attempt may open the file as soon as something is reported: the job, which has it open, is gone by then.
        while let (client, result) = large.take().map({ ($0.client, finish($0)) }) { client.finished([result]) }
    }

    private func doChores() {
        while let chore = chores.take() { chore() }
    }

    private func finish(_ given: FinishJob) -> FinishResult {
        var job = given
        var lastReport = SystemClock.moment()
        let ending = steps.finish(&job) { hashed in
            let now = SystemClock.moment()
            guard now - lastReport >= Self.reportInterval else { return }
            lastReport = now
            given.client.hashed(FinishProgress(connection: given.connection, hashed: hashed, size: given.size))
        }
        _ = job.folder.descriptor.sync()
        steps.settle(ending, in: job.folder)
        return FinishResult(job, ending)
    }
}

/// Finishes small files by the hundred: one synchronisation of the file system costs no more for all of them than for
/// one. Used on one thread only.
final class BatchFinisher {
    /// Has its name, but the folder is not on the disk yet.
    private struct Named {
        var result: FinishResult
        var client: any FileServicesClient
        var folder: TargetFolder
        /// Got its name as a file without one: then the file itself has changed as well.
        var wasUnnamed = false
    }

    private let steps: FinishSteps
    private let budget: ContentBudget
    private var named: [Named] = []
    /// File systems that know no files without names.
    private var namedOnly: Set<UInt64> = []

    /// From here on one synchronisation of the whole file system is cheaper than one for each file.
    private static let batch = 16
    /// Most files in a batch: one synchronisation costs each of them next to nothing, and all can be open at once.
    private static let mostInBatch = 512
    /// How long the first small file waits for others.
    private static let gathering: DispatchTimeInterval = .milliseconds(10)

    init(steps: FinishSteps, budget: ContentBudget) {
        self.steps = steps
        self.budget = budget
    }

    /// - Parameter isUrgent: no further file is expected soon.
    func run(_ line: WorkLine<FinishJob>, isUrgent: () -> Bool) {
        while true {
            guard let first = line.take(until: named.isEmpty ? .distantFuture : .now()) else {
                if named.isEmpty { return }
                settle()
                continue
            }
            var jobs = [first]
            let deadline = DispatchTime.now() + Self.gathering
            while jobs.count < Self.mostInBatch, let job = line.take(until: isUrgent() ? .now() : deadline) {
                jobs.append(job)
            }
            finish(jobs)
        }
    }

    private func finish(_ given: [FinishJob]) {
        let isBatch = given.count + named.count >= Self.batch
        var failed: [Named] = []
        var jobs: [FinishJob] = []
        for job in given {
            do throws(TransferFailure) {
                jobs.append(try spilled(job, isBatch: isBatch))
            } catch {
                let result = FinishResult(job, .failed(error, partName: nil))
                failed.append(Named(result: result, client: job.client, folder: job.folder))
            }
        }
        // The call that puts these bytes on the disk does so with the names of the batch before.
        let isSynced = isBatch && Self.syncFileSystems(of: jobs.map(\.folder) + named.map(\.folder))
        if isSynced { report() } else { settle() }
        named = failed + jobs.map { finish($0, isSynced: isSynced) }
        budget.give(given.reduce(0) { $0 + $1.bytesInMemory })
    }

    private func spilled(_ job: FinishJob, isBatch: Bool) throws(TransferFailure) -> FinishJob {
        if isBatch, !namedOnly.contains(job.folder.identity.device), !job.folder.isGone {
            if let unnamed = steps.spillToUnnamedFile(job) { return unnamed }
            namedOnly.insert(job.folder.identity.device)
        }
        let job = try steps.spillToPart(job)
        // One synchronisation for all comes before the names.
        if isBatch { try steps.label(job) }
        return job
    }

    private func finish(_ given: FinishJob, isSynced: Bool) -> Named {
        var job = given
        let ending = steps.finish(&job, isSynced: isSynced)
        let isUnnamed = if case .unnamed = job.body { true } else { false }
        return Named(
            result: FinishResult(job, ending), client: job.client, folder: job.folder, wasUnnamed: isUnnamed)
    }

    private func settle() {
        guard !named.isEmpty else { return }
        if !named.contains(where: \.wasUnnamed) || !Self.syncFileSystems(of: named.map(\.folder)) {
            var seen: Set<TargetFolder.Identity> = []
            for entry in named where seen.insert(entry.folder.identity).inserted {
                _ = entry.folder.descriptor.sync()
            }
        }
        report()
    }

    private func report() {
        for entry in named where !entry.wasUnnamed {
            steps.settle(entry.result.ending, in: entry.folder)
        }
        for entries in Dictionary(grouping: named, by: { ObjectIdentifier($0.client) }).values {
            entries.first?.client.finished(entries.map(\.result))
        }
        named = []
    }

    /// False when it did not work: then each file must be synced by itself.
    private static func syncFileSystems(of folders: [TargetFolder]) -> Bool {
        var seen: Set<UInt64> = []
        for folder in folders where seen.insert(folder.identity.device).inserted {
            guard winch_sync_file_system(folder.descriptor.number) == 0 else { return false }
        }
        return true
    }
}

/// Work in the order in which it was added, for threads that wait for it.
final class WorkLine<Work: Sendable>: Sendable {
    private struct State {
        var waiting = Deque<Work>()
        var hasEnded = false
    }

    private let state = Mutex(State())
    /// Signalled for all that was added: a thread that then finds nothing waits again.
    private let changed = DispatchSemaphore(value: 0)

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func add(_ added: [Work]) {
        state.withLock { $0.waiting.append(contentsOf: added) }
        for _ in added { changed.signal() }
    }

    /// Waits until there is something.
    ///
    /// - Returns: `nil` when nothing has come in time, or when nothing is left after `end`.
    func take(until deadline: DispatchTime = .distantFuture) -> Work? {
        while true {
            let (next, hasEnded) = state.withLock { ($0.waiting.popFirst(), $0.hasEnded) }
            if next != nil || hasEnded { return next }
            guard changed.wait(timeout: deadline) == .success else { return nil }
        }
    }

    /// - Parameter threads: that take from this line.
    func end(waking threads: Int) {
        state.withLock { $0.hasEnded = true }
        for _ in 0..<threads { changed.signal() }
    }
}
