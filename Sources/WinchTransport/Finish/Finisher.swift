import CTransport
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

    init(names: NameRegistry) { steps = FinishSteps(naming: FinishedFileNaming(names: names)) }

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
    func writeBack(_ file: Descriptor, from: Int64, length: Int64) {
        queue.add(.writeBack(file, from: from, length: length))
    }

    /// Syncs the bytes of a part.
    func write(_ checkpoint: Checkpoint) { queue.add(.checkpoint(checkpoint)) }

    /// Hashes the bytes that a file has got, beside the network.
    func hash(_ digest: PartHasher) { queue.add(digest) }

    /// By turns, so that no file waits for another's whole length.
    private static func hash(_ queue: FinishQueue) {
        while let digest = queue.takeDigest() {
            if digest.advance() { queue.add(digest) }
        }
    }

    /// Closes a file without a name.
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
        case .writeBack(let file, let from, let length): file.startWriteback(from: from, length: length)
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
