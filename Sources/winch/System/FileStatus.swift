import Glibc
import WinchModel

/// What the system says of a file, or of what a link leads to.
enum FileStatus {
    /// `nil` with `errno`.
    static func of(_ path: String) -> stat? {
        var status = stat()
        return stat(path.cBytes, &status) == 0 ? status : nil
    }

    /// `S_IFREG`, `S_IFDIR` and so on; `nil` when it is not known.
    static func kind(of path: String) -> mode_t? { of(path).map { $0.st_mode & S_IFMT } }
}
