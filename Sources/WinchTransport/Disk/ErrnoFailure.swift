import Glibc
import WinchModel
import WinchSystem

/// `errno` of a call on files, in words.
enum ErrnoFailure {
    /// While writing or reading `path`, which lies in `folder`.
    static func file(_ code: Int32, path: String, folder: String) -> TransferFailure {
        switch code {
        // EDQUOT fails at once: waiting frees no quota.
        case ENOSPC: .diskFull(folder: absolute(folder))
        case EFBIG: .readWrite(path, reason: "larger than the file system or ulimit -f allows")
        default: .readWrite(path, reason: words(code))
        }
    }

    static func creation(_ code: Int32, of path: String, in folder: String) -> TransferFailure {
        switch code {
        case ENOSPC: .diskFull(folder: absolute(folder))
        case EACCES, EPERM, EROFS: .folder(path, reason: words(code) + "; choose another folder (-d)")
        default: .folder(path, reason: words(code))
        }
    }

    /// The absolute path of a folder that the user gave: a message with `.` in it could not be read elsewhere.
    static func absolute(_ folder: String) -> String {
        guard folder.utf8.first != UInt8(ascii: "/"), let here = CurrentFolder.path else { return folder }
        return WorkingFolder(here).absolute(folder)
    }

    static func words(_ code: Int32) -> String {
        switch code {
        case ENOENT: "does not exist"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the file system is read-only"
        case ENOTDIR: "there is a file where a folder is needed"
        case ELOOP: "there is a symbolic link, which is not followed here"
        case EIO: "input/output error; check the disk"
        case ENAMETOOLONG: "name too long for the file system"
        case EISDIR: "there is a folder where a file is needed"
        case EDQUOT: "disk quota exceeded; make room, then retry"
        case ESTALE: "stale file handle (network file system); retry"
        case EMFILE, ENFILE: "too many open files (ulimit -n)"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
