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
