import Glibc
import WinchModel

/// Whether two files of one folder hold the same bytes.
enum FileComparison {
    /// Large enough that reading two files by turns does not make a disk seek all the time.
    private static let piece = 256 << 10

    /// - Parameter size: of the first.
    static func isSame(_ one: String, _ other: String, size: Int64, in folder: TargetFolder) -> Bool {
        guard let status = folder.status(of: other), status.st_mode & S_IFMT == S_IFREG, status.st_size == size,
            let left = open(one, in: folder), let right = open(other, in: folder)
        else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * piece, alignment: 4096)
        defer { buffer.deallocate() }
        let first = UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece])
        let second = UnsafeMutableRawBufferPointer(rebasing: buffer[piece...])
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(Int64(piece), size - offset))
            guard fill(first, count, left, offset), fill(second, count, right, offset),
                isEqual(first, second, count)
            else { return false }
            offset += Int64(count)
        }
        return true
    }

    private static func isEqual(
        _ left: UnsafeMutableRawBufferPointer, _ right: UnsafeMutableRawBufferPointer, _ count: Int
    ) -> Bool {
        guard let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
        return memcmp(left, right, count) == 0
    }

    private static func open(_ name: String, in folder: TargetFolder) -> Descriptor? {
        let number = openat(folder.descriptor.number, name.cBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        return number >= 0 ? Descriptor(number) : nil
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ count: Int, _ file: Descriptor, _ offset: Int64
    ) -> Bool {
        var done = 0
        while done < count {
            let got = pread(
                file.number, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
            if got > 0 { done += got } else if got == 0 || errno != EINTR { return false }
        }
        return true
    }
}
