import Glibc
import WinchModel

/// A whole regular file of the user's, read at once and kept as long as it stays the same.
struct SmallFile {
    let bytes: [UInt8]
    private let mark: Mark

    private struct Mark: Equatable {
        var device: UInt64
        var number: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = Int(status.st_mtim.tv_sec)
            nanoseconds = Int(status.st_mtim.tv_nsec)
        }
    }

    /// 4 MiB: a known_hosts of 30,000 hosts; the connections wait while it is read.
    private static let largest = 4 << 20

    /// - Returns: `nil` when there is no such regular file, or one that is too large or not readable.
    init?(_ path: String) {
        let number = open(path.cBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest
        else { return nil }
        mark = Mark(status)
        let size = Int(status.st_size)
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let taken = read(file.number, buffer.baseAddress.map { $0 + count }, size - count)
                guard taken > 0 else { break }
                count += taken
            }
        }
    }

    /// False when the file was changed or replaced since it was read.
    func isCurrent(at path: String) -> Bool {
        var status = stat()
        return stat(path.cBytes, &status) == 0 && mark == Mark(status)
    }
}
