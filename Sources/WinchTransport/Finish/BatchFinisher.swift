import CTransport
import Dispatch
import WinchModel

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
