import CTransport
import Glibc
import WinchModel

/// The steps from a complete body to a file with its name. May block.
struct FinishSteps: Sendable {
    let names: NameRegistry

    /// All steps of a file whose bytes are on disk, up to its name.
    ///
    /// - Parameters:
    ///   - job: its body is a part afterwards if it could not be given a name otherwise.
    ///   - isSynced: the file has been synced, with what `label` writes.
    func finish(
        _ job: inout FinishJob, isSynced: Bool = false, progress: (Int64) -> Void = { _ in }
    ) -> FinishResult.Ending {
        do throws(TransferFailure) {
            let isVerified = try verify(job, progress: progress)
            if !isVerified, !job.claim.isTaken, let partName = job.partName { return .interrupted(partName: partName) }
            if !isSynced {
                try label(job)
                try sync(job)
            }
            return try name(&job)
        } catch {
            return .failed(error, partName: keepFailedPart(job, after: error))
        }
    }

    func spillToPart(_ job: FinishJob) throws(TransferFailure) -> FinishJob {
        guard let content = job.body.content else { return job }
        var job = job
        if job.folder.isGone { job.folder = try job.folder.again() }
        let part = try PartFile.create(for: job.targetName, in: job.folder, job.attributes)
        do throws(TransferFailure) {
            try PartWriter(part, at: 0).append(content)
        } catch {
            part.folder.unlink(part.name)
            throw error
        }
        job.body = .part(part.name, part.file, part.identity)
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
        label(file, as: job)
        var job = job
        job.body = .unnamed(file, content)
        return job
    }

    /// - Parameter progress: bytes hashed so far, after every few megabytes.
    /// - Returns: false when it was cancelled, or ended with the program, before the hash was ready.
    private func verify(_ job: FinishJob, progress: (Int64) -> Void) throws(TransferFailure) -> Bool {
        guard !job.demands.isEmpty else { return true }
        // The hash of a small file is waited for.
        let isWanted = { !job.claim.isTaken && (job.isSmall || !job.claim.isInterrupted) }
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
    private func keepFailedPart(_ job: FinishJob, after failure: TransferFailure) -> String? {
        guard case .checksum = failure else {
            return job.partName.flatMap { job.folder.status(of: $0) == nil ? nil : $0 }
        }
        var job = job
        if job.partName == nil, let part = try? spillToPart(job) { job = part }
        if let file = try? opened(job) {
            PartAttributes.remove(from: file)
            Attribute.rejected.set(job.attributes.url, on: file)
        }
        return job.partName
    }

    /// Writes on the file where it comes from, and gives it its time: before its name, which a run that is killed may leave.
    func label(_ job: FinishJob) throws(TransferFailure) {
        if case .unnamed = job.body { return }
        label(try opened(job), as: job)
    }

    private func label(_ file: Descriptor, as job: FinishJob) {
        Attribute.origin.set(job.attributes.origin, on: file)
        Self.setTime(job.modified, on: file)
    }

    private func sync(_ job: FinishJob) throws(TransferFailure) {
        let file = try opened(job)
        let code = file.sync()
        guard code != 0 else { return }
        dropUnsynced(job, file)
        throw failure(code, job)
    }

    /// Cuts the part to the bytes that were synced before a sync failed, or removes it: the next attempt would sync what is left
    /// without an error.
    private func dropUnsynced(_ job: FinishJob, _ file: Descriptor) {
        guard case .part(let name, _, let identity?) = job.body, job.folder.holds(identity, as: name) else { return }
        let synced = PartSyncState.read(from: file)?.trust(length: .max, boot: nil).synced.prefixEnd ?? 0
        if synced == 0 || ftruncate(file.number, off_t(synced)) != 0 { job.folder.unlink(name) }
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
            job = try spillToPart(job)
            try label(job)
            try sync(job)
        }
        guard case .part(let name, _, let file) = job.body else { throw .other("no part file") }
        guard let file, job.folder.holds(file, as: name) else {
            throw .readWrite(job.path, reason: "moved or replaced during the download")
        }
        return .done(try rename(job, from: name), size: job.size)
    }

    /// Removes a part's attributes from a file that has its name, when the folder is on the disk: a power loss before may bring
    /// the part's name back, and the next run recognises it by them.
    func settle(_ ending: FinishResult.Ending, in folder: TargetFolder) {
        guard case .done(.saved(let path), _) = ending else { return }
        // At the byte: for Swift a slash with a combining accent is one character.
        let name = String(Substring(path.utf8.dropFirst(folder.below.utf8.count)))
        guard let file = folder.opened(name) else { return }
        PartAttributes.settle(file)
    }

    /// Without an error where the file system does not know the time. The attribute tells a later run that the file is as
    /// it was written, also where the server has named no version.
    private static func setTime(_ modified: Int64?, on file: Descriptor) {
        guard let modified, let status = file.status else { return }
        let times = [status.st_atim, timespec(tv_sec: Int(modified), tv_nsec: 0)]
        withExtendedLifetime(file) { _ = futimens(file.number, times) }
        if let identity = FileIdentity(file) { Attribute.modified.set("\(identity.modified)", on: file) }
    }

    private func opened(_ job: FinishJob) throws(TransferFailure) -> Descriptor {
        switch job.body {
        case .unnamed(let file, _), .part(_, .some(let file), _): return file
        case .part(let name, nil, _):
            guard let file = job.folder.opened(name) else { throw failure(errno, job) }
            return file
        case .content: throw .other("no part file")
        }
    }

    private func failure(_ code: Int32, _ job: FinishJob) -> TransferFailure {
        ErrnoFailure.file(code, path: job.path, folder: job.folder.path)
    }
}

/// The name of a finished part, which is never taken from a foreign file.
extension FinishSteps {
    private static let mostNumbers = 100_000

    private func rename(_ job: FinishJob, from part: String) throws(TransferFailure) -> TransferPhase.Outcome {
        var target = job.targetName
        for _ in 0..<Self.mostNumbers {
            let code = rename(part, to: target, in: job.folder)
            if code == 0 { return .saved(path: job.folder.below + target) }
            guard code == EEXIST else {
                throw ErrnoFailure.file(code, path: job.folder.path(of: target), folder: job.folder.path)
            }
            switch job.conflict {
            case .skip:
                try job.folder.refuseFolder(target)
                // It has got the name since the download began.
                if job.isDemanded, !FileComparison.isSame(part, target, size: job.size, in: job.folder) {
                    throw .existingFileDiffers(job.folder.path(of: target))
                }
                job.folder.unlink(part)
                return .skipped(path: job.folder.below + target)
            case .fail: throw .nameTaken(job.folder.path(of: target))
            case .overwrite: return try replace(target, by: part, job)
            case .rename:
                if FileComparison.isSame(part, target, size: job.size, in: job.folder) {
                    job.folder.unlink(part)
                    return .alreadyComplete(path: job.folder.below + target)
                }
                target = names.next(job.id, of: job.attributes.url, in: job.folder, after: target)
            }
        }
        throw .nameTaken(job.folder.path(of: target))
    }

    private func replace(
        _ target: String, by part: String, _ job: FinishJob
    ) throws(TransferFailure) -> TransferPhase.Outcome {
        try job.folder.refuseIrreplaceable(target)
        let folder = job.folder.descriptor.number
        guard renameat(folder, part.cBytes, folder, target.cBytes) == 0 else {
            throw ErrnoFailure.file(errno, path: job.folder.path(of: target), folder: job.folder.path)
        }
        return .saved(path: job.folder.below + target)
    }

    /// 0 or an error number; EEXIST when something has the name.
    private func rename(_ part: String, to target: String, in targetFolder: TargetFolder) -> Int32 {
        let folder = targetFolder.descriptor.number
        if winch_rename_new(folder, part.cBytes, folder, target.cBytes) == 0 { return 0 }
        let code = errno
        // Not every file system supports RENAME_NOREPLACE.
        guard code == EINVAL || code == ENOSYS || code == ENOTSUP else { return code }
        if linkat(folder, part, folder, target, 0) == 0 {
            unlinkat(folder, part, 0)
            return 0
        }
        guard errno != EEXIST else { return EEXIST }
        return Self.rename(part, toPlaceholder: target, in: targetFolder)
    }

    /// For file systems without links (FAT): an empty file reserves the name, and is replaced.
    ///
    /// - Returns: 0 or an error number; then nothing is left under the name.
    static func rename(_ part: String, toPlaceholder target: String, in folder: TargetFolder) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        guard let placeholder = Descriptor.open(target, in: folder.descriptor, flags, mode: 0o666) else { return errno }
        let number = folder.descriptor.number
        guard renameat(number, part.cBytes, number, target.cBytes) != 0 else { return 0 }
        let code = errno
        // If it stayed, the next run would take it for a foreign file.
        if let status = placeholder.status, status.st_size == 0,
            folder.holds(TargetFolder.Identity(status), as: target)
        {
            folder.unlink(target)
        }
        return code
    }
}

enum FileComparison {
    /// Large enough that reading two files by turns does not make a disk seek all the time.
    private static let piece = 256 << 10

    /// - Parameter size: of the first.
    static func isSame(_ one: String, _ other: String, size: Int64, in folder: TargetFolder) -> Bool {
        guard let status = folder.status(of: other), status.st_mode & S_IFMT == S_IFREG, status.st_size == size,
            let left = folder.opened(one), let right = folder.opened(other)
        else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < size {
            let count = left.fill(buffer, most: size - offset, at: offset)
            guard count > 0, right.matching(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset) == count
            else { return false }
            offset += Int64(count)
        }
        return true
    }
}
