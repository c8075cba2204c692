import Glibc

/// Work waiting for the finisher's threads, with the clock-bound waiting that `Mutex` does not have.
///
/// `@unchecked Sendable`: everything is read and written under `lock`.
final class FinishQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let smallCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let largeCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var small: [FinishJob] = []
    private var large: [LargeTask] = []
    private let digestCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var digests: [PartHasher] = []
    /// No further file is expected soon: a batch is not waited for.
    private var isUrgent = false
    private var hasEnded = false

    enum LargeTask {
        case finish(FinishJob)
        case writeBack(Descriptor, from: Int64, length: Int64)
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
        pthread_cond_init(digestCame, nil)
    }

    deinit {
        pthread_cond_destroy(largeCame)
        pthread_cond_destroy(digestCame)
        digestCame.deallocate()
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
            pthread_cond_broadcast(digestCame)
        }
    }

    func add(_ digest: PartHasher) {
        locked {
            digests.append(digest)
            pthread_cond_signal(digestCame)
        }
    }

    /// The next hash whose file has grown; `nil` when the queue has ended, whatever is left:
    /// a complete body is hashed to its end by the thread that finishes it.
    func takeDigest() -> PartHasher? {
        locked {
            while digests.isEmpty, !hasEnded { pthread_cond_wait(digestCame, lock) }
            return hasEnded ? nil : digests.removeFirst()
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
