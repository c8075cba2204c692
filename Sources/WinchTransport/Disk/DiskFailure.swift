import Glibc
import WinchCore

/// `errno` of a call on files, in our words.
enum DiskFailure {
    /// While writing or reading `path`, which lies in `folder`.
    static func file(_ code: Int32, path: String, folder: String) -> TransferFailure {
        switch code {
        // A quota is not told apart from room by waiting: the disk has some all the time.
        case ENOSPC: .diskFull(folder: folder)
        case EFBIG: .readWrite(path, reason: "the file would be larger than allowed here")
        default: .readWrite(path, reason: words(code))
        }
    }

    /// While making a folder, or a file in it.
    static func folder(_ code: Int32, path: String) -> TransferFailure {
        switch code {
        case ENOSPC: .diskFull(folder: path)
        default: .folder(path, reason: words(code))
        }
    }

    static func words(_ code: Int32) -> String {
        switch code {
        case ENOENT: "not there"
        case EACCES, EPERM: "not permitted"
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
