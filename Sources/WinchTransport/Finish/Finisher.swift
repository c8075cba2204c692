import Glibc
import WinchModel

/// Turns complete bodies into files: verified, synced, under their names. On threads of its own, so that the network
/// goes on meanwhile.
///
/// Order, for every file: the bytes are on the disk, then the file gets its name, then the folder is on the disk, then
/// what marks the file as a part is removed, then it is reported.
final class Finisher: Sendable {
    private let queue = FinishQueue()
    private let steps: FinishSteps
    let budget = ContentBudget()

    /// Two: one file's checksum must not hold up another's writing back.
    private static let largeThreads = 2

    /// Ten a second: more changes than that cannot be seen.
    static let reportInterval: Duration = .milliseconds(100)

    init(names: NameRegistry) { steps = FinishSteps(names: names) }

    /// - Parameter threads: the finisher's join them.
    /// - Returns: false when the system gives no threads.
    func start(in threads: ThreadGroup) -> Bool {
        var isRunning = threads.start { [queue, steps, budget] in
            BatchFinisher(steps: steps, budget: budget).run(queue)
        }
        isRunning = threads.start { [queue] in Self.hash(queue) } && isRunning
        for _ in 0..<Self.largeThreads {
            isRunning = threads.start { self.finishLarge(isFinisher: true) } && isRunning
        }
        // Checkpoints must not wait for the checksums of large files.
        isRunning = threads.start { self.finishLarge(isFinisher: false) } && isRunning
        return isRunning
    }

    /// - Parameter isUrgent: nothing is under way that could bring more soon.
    func finish(_ jobs: [FinishJob], isUrgent: Bool) { queue.add(jobs, isUrgent: isUrgent) }

    /// Starts writing back, so that the wait at the end is short.
    func writeBack(_ writer: PartWriter) {
        if let range = writer.takeWriteBack() { queue.add(.writeBack(writer.part.file, range)) }
    }

    func write(_ checkpoint: Checkpoint) { queue.add(.checkpoint(checkpoint)) }

    /// Hashes the bytes that a file has got, beside the network.
    func hash(_ hasher: PartHasher) { queue.add(hasher) }

    /// By turns, so that no file waits for another's whole length.
    private static func hash(_ queue: FinishQueue) {
        while let hasher = queue.takeHasher() {
            if hasher.advance() { queue.add(hasher) }
        }
    }

    func drop(_ file: Descriptor) { queue.add(.drop(file)) }

    /// The threads end when all is done.
    func end() { queue.end() }

    private func finishLarge(isFinisher: Bool) {
        // The next attempt may open the file as soon as something is reported: the task, which has it open, is gone by then.
        while let report = queue.takeLarge(isFinisher: isFinisher).map(carryOut) { report() }
    }

    /// - Returns: reports what was done.
    private func carryOut(_ task: FinishQueue.LargeTask) -> () -> Void {
        switch task {
        case .finish(let job):
            let (client, result) = (job.client, finish(job))
            return { client.finished([result]) }
        case .writeBack(let file, let range): file.startWriteback(range)
        case .checkpoint(let checkpoint):
            checkpoint.write()
            return { checkpoint.client.wrote(checkpoint) }
        case .drop: break
        }
        return {}
    }

    private func finish(_ given: FinishJob) -> FinishResult {
        var job = given
        let ending: FinishResult.Ending
        do throws(TransferFailure) {
            var lastReport = SystemClock.moment()
            let isVerified = try steps.verify(job) { hashed in
                let now = SystemClock.moment()
                guard now - lastReport >= Self.reportInterval else { return }
                lastReport = now
                job.client.hashed(FinishProgress(connection: job.connection, hashed: hashed, size: job.size))
            }
            if !isVerified, job.claim.isInterrupted, !job.claim.isTaken, let partName = job.partName {
                return FinishResult(job, .interrupted(partName: partName))
            }
            try steps.label(job)
            try steps.sync(job)
            ending = try steps.name(&job)
        } catch {
            ending = .failed(error, partName: steps.keepFailedPart(job, after: error))
        }
        _ = job.folder.descriptor.sync()
        steps.settle(ending, in: job.folder)
        return FinishResult(job, ending)
    }
}

/// Work waiting for the finisher's threads, with the clock-bound waiting that `Mutex` does not have.
///
/// `@unchecked Sendable`: everything is read and written under `lock`.
final class FinishQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let smallCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let largeCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var small: [FinishJob] = []
    private var large: [LargeTask] = []
    private let hasherCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var hashers: [PartHasher] = []
    /// No further file is expected soon: a batch is not waited for.
    private var isUrgent = false
    private var hasEnded = false

    enum LargeTask {
        case finish(FinishJob)
        case writeBack(Descriptor, Range<Int64>)
        case checkpoint(Checkpoint)
        /// The last reference of a file without a name: freeing its blocks takes a while.
        case drop(Descriptor)

        var isFinish: Bool {
            if case .finish = self { true } else { false }
        }
    }

    /// Most files in a batch: one synchronisation costs each of them next to nothing, and all can be open at once.
    private static let mostInBatch = 512
    /// How long the first small file waits for others.
    private static let gathering: Int = 10_000_000

    init() {
        pthread_mutex_init(lock, nil)
        // The wall clock may jump.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(smallCame, &attributes)
        pthread_condattr_destroy(&attributes)
        pthread_cond_init(largeCame, nil)
        pthread_cond_init(hasherCame, nil)
    }

    deinit {
        pthread_cond_destroy(largeCame)
        pthread_cond_destroy(hasherCame)
        hasherCame.deallocate()
        pthread_cond_destroy(smallCame)
        pthread_mutex_destroy(lock)
        largeCame.deallocate()
        smallCame.deallocate()
        lock.deallocate()
    }

    /// - Parameter isUrgent: no transfer is running that could bring more soon.
    func add(_ jobs: [FinishJob], isUrgent: Bool) {
        locked {
            for job in jobs {
                if job.isSmall { small.append(job) } else { large.append(.finish(job)) }
            }
            self.isUrgent = isUrgent
            if !small.isEmpty { pthread_cond_signal(smallCame) }
            if !large.isEmpty { pthread_cond_broadcast(largeCame) }
        }
    }

    func add(_ task: LargeTask) {
        locked {
            large.append(task)
            pthread_cond_broadcast(largeCame)
        }
    }

    /// The threads end when nothing is left.
    func end() {
        locked {
            hasEnded = true
            pthread_cond_broadcast(smallCame)
            pthread_cond_broadcast(largeCame)
            pthread_cond_broadcast(hasherCame)
        }
    }

    func add(_ hasher: PartHasher) {
        locked {
            hashers.append(hasher)
            pthread_cond_signal(hasherCame)
        }
    }

    /// The next hash whose file has grown; `nil` when the queue has ended, whatever is left:
    /// a complete body is hashed to its end by the thread that finishes it.
    func takeHasher() -> PartHasher? {
        locked {
            while hashers.isEmpty, !hasEnded { pthread_cond_wait(hasherCame, lock) }
            return hasEnded ? nil : hashers.removeFirst()
        }
    }

    /// Small files that have gathered; `nil` when the queue has ended.
    ///
    /// - Parameter mayWait: false returns what is there, perhaps nothing.
    func takeSmall(mayWait: Bool) -> [FinishJob]? {
        locked {
            while small.isEmpty {
                if !mayWait { return [] }
                if hasEnded { return nil }
                pthread_cond_wait(smallCame, lock)
            }
            var deadline = timespec()
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.tv_nsec += Self.gathering
            if deadline.tv_nsec >= 1_000_000_000 {
                deadline.tv_nsec -= 1_000_000_000
                deadline.tv_sec += 1
            }
            while small.count < Self.mostInBatch, !isUrgent, !hasEnded,
                pthread_cond_timedwait(smallCame, lock, &deadline) == 0
            {}
            let jobs = Array(small.prefix(Self.mostInBatch))
            small.removeFirst(jobs.count)
            return jobs
        }
    }

    /// - Parameter isFinisher: takes complete files as well, which may keep it busy for minutes.
    func takeLarge(isFinisher: Bool) -> LargeTask? {
        locked {
            while true {
                if let index = large.firstIndex(where: { isFinisher || !$0.isFinish }) {
                    return large.remove(at: index)
                }
                if hasEnded { return nil }
                pthread_cond_wait(largeCame, lock)
            }
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
