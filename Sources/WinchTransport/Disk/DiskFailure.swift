import Glibc
import WinchCore

/// `errno` of a call on files, in words.
enum DiskFailure {
    /// While writing or reading `path`, which lies in `folder`.
    static func file(_ code: Int32, path: String, folder: String) -> TransferFailure {
        switch code {
        // EDQUOT fails at once: waiting frees no quota.
        case ENOSPC: .diskFull(folder: absolute(folder))
        case EFBIG: .readWrite(path, reason: "the file would be larger than allowed here")
        default: .readWrite(path, reason: words(code))
        }
    }

    /// While creating `path`, a folder or a file in one.
    static func creation(_ code: Int32, of path: String, in folder: String) -> TransferFailure {
        switch code {
        case ENOSPC: .diskFull(folder: absolute(folder))
        default: .folder(path, reason: words(code))
        }
    }

    /// A folder that the user gave is named whole: `.` says nothing in a message that is read elsewhere.
    static func absolute(_ folder: String) -> String {
        guard folder.utf8.first != UInt8(ascii: "/"), let here = getcwd(nil, 0) else { return folder }
        defer { free(here) }
        return WorkingFolder(String(cString: here)).absolute(folder)
    }

    static func words(_ code: Int32) -> String {
        switch code {
        case ENOENT: "does not exist"
        case EACCES, EPERM: "permission denied"
        case EROFS: "read-only"
        case ENOTDIR: "a file is in the way"
        case ELOOP: "a symbolic link is in the way"
        case EIO: "the device reports an error"
        case ENAMETOOLONG: "the name is too long here"
        case EISDIR: "a folder is in the way"
        case EDQUOT: "your quota of space or files is used up"
        case ESTALE: "the file server does not know it any more"
        case EMFILE, ENFILE: "too many open files"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
