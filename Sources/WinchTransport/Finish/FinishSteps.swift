import CTransport
import Glibc
import WinchModel

/// The steps from a complete body to a file with its name. May block.
struct FinishSteps: Sendable {
    let naming: FinishedFileNaming

    /// Puts a body that came in memory into a part file.
    func spillToPart(_ job: FinishJob) throws(TransferFailure) -> FinishJob {
        let content: [UInt8]
        switch job.body {
        case .part: return job
        case .content(let bytes), .unnamed(_, let bytes): content = bytes
        }
        var job = job
        if job.folder.isGone { job.folder = try job.folder.again() }
        let part = try PartFile.create(for: job.targetName, in: job.folder, job.attributes)
        do throws(TransferFailure) {
            try PartWriter(part, at: 0).append(content)
        } catch {
            part.folder.unlink(part.name)
            throw error
        }
        job.body = .part(part.name, part.file)
        return job
    }

    /// Puts a body that came in memory into a file without a name, which costs half of one with two.
    ///
    /// - Returns: `nil` when the file system cannot do that.
    func spillToUnnamedFile(_ job: FinishJob) -> FinishJob? {
        guard case .content(let content) = job.body else {
            // The file has a name already, and is there like the others before the one synchronisation for all.
            try? label(job)
            return job
        }
        let number = winch_open_unnamed(job.folder.descriptor.number)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        let written = content.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, 0) }
        guard written == content.count else { return nil }
        Attribute.origin.set(job.attributes.url, on: file)
        var job = job
        job.body = .unnamed(file, content)
        return job
    }

    /// - Parameter progress: bytes hashed so far, after every few megabytes.
    /// - Returns: false when it was cancelled, or ended with the program, before the hash was ready.
    @discardableResult func verify(
        _ job: FinishJob, progress: (Int64) -> Void = { _ in }
    ) throws(TransferFailure) -> Bool {
        guard !job.demands.isEmpty else { return true }
        let isWanted = { !job.claim.isTaken && !job.claim.isInterrupted }
        if let digest = job.digest {
            guard try digest.complete(size: job.size, isWanted: isWanted, progress: progress) else { return false }
        }
        // Hashes that were not known when the body began, as one in a trailer.
        let rest = job.demands.filter { demand in
            !(job.digest?.demands ?? []).contains { $0.isSame(as: demand) }
        }
        guard !rest.isEmpty else { return true }
        return try PartHasher(rest, file: try opened(job), path: job.path)
            .complete(size: job.size, isWanted: isWanted, progress: progress)
    }

    /// The part that stays after a failure. One with the wrong hash is kept for the user to look at, and marked, so that no
    /// run goes on with it.
    ///
    /// - Returns: the part's name; `nil`: nothing is left.
    func keepFailedPart(_ job: FinishJob, after failure: TransferFailure) -> String? {
        guard case .checksum = failure else { return job.partName }
        var job = job
        if job.partName == nil, let part = try? spillToPart(job) { job = part }
        if let file = try? opened(job) {
            PartAttributes.remove(from: file)
            Attribute.rejected.set(job.attributes.url, on: file)
        }
        return job.partName
    }

    /// Writes on the file where it comes from.
    func label(_ job: FinishJob) throws(TransferFailure) {
        if case .unnamed = job.body { return }
        Attribute.origin.set(job.attributes.url, on: try opened(job))
    }

    func sync(_ job: FinishJob) throws(TransferFailure) {
        let code = try opened(job).sync()
        guard code == 0 else { throw failure(code, job) }
    }

    /// After this step there is no way back. `settle` comes when the name is on the disk.
    ///
    /// - Parameter job: its body is a part afterwards if it could not be given a name otherwise.
    func name(_ job: inout FinishJob) throws(TransferFailure) -> FinishResult.Ending {
        guard job.claim.take() else {
            if let part = job.partName { job.folder.unlink(part) }
            return .abandoned
        }
        if case .unnamed(let file, _) = job.body {
            if winch_name_unnamed(file.number, job.folder.descriptor.number, job.targetName.cBytes) == 0 {
                return .done(.saved(path: job.folder.below + job.targetName), size: job.size)
            }
            // The name is taken, or there is no /proc: the long way.
            let part = try spillToPart(job)
            try label(part)
            try sync(part)
            job = part
        }
        return try name(part: job)
    }

    private func name(part job: FinishJob) throws(TransferFailure) -> FinishResult.Ending {
        guard case .part(let name, _) = job.body else { throw .other("no part file") }
        return .done(try naming.name(job, as: name), size: job.size)
    }

    /// Removes a part's attributes from a file that has its name, when the folder is on the disk: a power loss before may bring
    /// the part's name back, and the next run recognises it by them.
    func settle(_ ending: FinishResult.Ending, in folder: TargetFolder) {
        guard case .done(.saved(let path), _) = ending else { return }
        let name = String(path.dropFirst(folder.below.count))
        let number = openat(folder.descriptor.number, name.cBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if number >= 0 { PartAttributes.settle(Descriptor(number)) }
    }

    private func opened(_ job: FinishJob) throws(TransferFailure) -> Descriptor {
        switch job.body {
        case .unnamed(let file, _), .part(_, .some(let file)): return file
        case .part(let name, nil):
            let number = openat(job.folder.descriptor.number, name.cBytes, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else { throw failure(errno, job) }
            return Descriptor(number)
        case .content: throw .other("no part file")
        }
    }

    private func failure(_ code: Int32, _ job: FinishJob) -> TransferFailure {
        ErrnoFailure.file(code, path: job.path, folder: job.folder.path)
    }
}
