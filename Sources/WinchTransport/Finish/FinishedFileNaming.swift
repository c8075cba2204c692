import CTransport
import Glibc
import WinchModel

/// Gives a finished part its name, and never takes a name from a foreign file.
struct FinishedFileNaming {
    let names: NameRegistry

    /// Numbers tried before giving up.
    private static let mostNumbers = 100_000

    /// - Parameter part: the name it has now.
    func name(_ job: FinishJob, as part: String) throws(TransferFailure) -> TransferPhase.Outcome {
        var target = job.targetName
        for _ in 0..<Self.mostNumbers {
            let code = rename(part, to: target, in: job.folder.descriptor.number)
            if code == 0 { return .saved(path: job.folder.below + target) }
            guard code == EEXIST else {
                throw ErrnoFailure.file(code, path: job.folder.path(of: target), folder: job.folder.path)
            }
            switch job.conflict {
            case .skip:
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

    /// Replaces a regular file only: `overwrite` does not mean a link or a folder of that name.
    private func replace(
        _ target: String, by part: String, _ job: FinishJob
    ) throws(TransferFailure) -> TransferPhase.Outcome {
        guard let status = job.folder.status(of: target), status.st_mode & S_IFMT == S_IFREG else {
            throw .nameTaken(job.folder.path(of: target))
        }
        let folder = job.folder.descriptor.number
        guard renameat(folder, part.cBytes, folder, target.cBytes) == 0 else {
            throw ErrnoFailure.file(errno, path: job.folder.path(of: target), folder: job.folder.path)
        }
        return .saved(path: job.folder.below + target)
    }

    /// 0 or an error number; EEXIST when something has the name.
    private func rename(_ part: String, to target: String, in folder: Int32) -> Int32 {
        if winch_rename_new(folder, part.cBytes, folder, target.cBytes) == 0 { return 0 }
        let code = errno
        // Not every file system supports RENAME_NOREPLACE.
        guard code == EINVAL || code == ENOSYS || code == ENOTSUP else { return code }
        if linkat(folder, part, folder, target, 0) == 0 {
            unlinkat(folder, part, 0)
            return 0
        }
        guard errno != EEXIST else { return EEXIST }
        return Self.rename(part, toPlaceholder: target, in: folder)
    }

    /// For file systems without links (FAT): an empty file reserves the name, and is replaced.
    ///
    /// - Returns: 0 or an error number; then nothing is left under the name.
    static func rename(_ part: String, toPlaceholder target: String, in folder: Int32) -> Int32 {
        let number = openat(folder, target.cBytes, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard number >= 0 else { return errno }
        let placeholder = Descriptor(number)
        guard renameat(folder, part.cBytes, folder, target.cBytes) != 0 else { return 0 }
        let code = errno
        var (ours, there) = (stat(), stat())
        // If it stayed, the next run would take it for a foreign file.
        if fstat(placeholder.number, &ours) == 0, fstatat(folder, target.cBytes, &there, AT_SYMLINK_NOFOLLOW) == 0,
            ours.st_ino == there.st_ino, ours.st_dev == there.st_dev, there.st_size == 0
        {
            unlinkat(folder, target, 0)
        }
        return code
    }
}
