package import Glibc
import WinchModel

/// A regular file that the system says to have no bytes although it has some: in /proc, in /sys, and in some FUSE file systems. Its
/// end is found by reading it.
package enum UnsizedFile {
    /// Reads one byte of a file whose size is 0.
    ///
    /// - Parameter status: of the file at the path.
    package static func hasBytes(_ path: String, _ status: stat) -> Bool {
        guard isSaidEmpty(status) else { return false }
        let number = open(path.cBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return false }
        defer { close(number) }
        return hasBytes(number, status)
    }

    /// - Parameter status: of the open file.
    static func hasBytes(_ number: Int32, _ status: stat) -> Bool {
        guard isSaidEmpty(status) else { return false }
        var byte: UInt8 = 0
        let count = pread(number, &byte, 1, 0)
        // EAGAIN: it has none yet, as /proc/kmsg.
        return count > 0 || count < 0 && errno == EAGAIN
    }

    private static func isSaidEmpty(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }
}
