import Glibc
import WinchModel

/// Free space on the file system of a folder.
enum DiskSpaceCheck {
    /// Asks the folder, or the nearest one above it that exists. May block for as long as a file server is away.
    ///
    /// - Returns: `nil` when it is not known: no such file system, or one without bounds.
    static func read(_ folder: String) -> DiskSpaceReading? {
        var path = folder.isEmpty ? "." : folder
        var (system, status) = (statvfs(), stat())
        while statvfs(path.cBytes, &system) != 0 || stat(path.cBytes, &status) != 0 {
            guard errno == ENOENT, let above = above(path) else { return nil }
            path = above
        }
        guard system.f_blocks > 0 else { return nil }
        let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
        return DiskSpaceReading(
            device: UInt64(status.st_dev), free: bytes(UInt64(blocks), system),
            size: bytes(UInt64(system.f_blocks), system))
    }

    /// Smaller bodies are not checked: the call would cost more than the failed write.
    static let smallest: Int64 = 1 << 20

    /// - Parameters:
    ///   - count: bytes that are still to come; a body that cannot fit is refused before its first byte.
    ///   - total: of the whole file.
    /// - Throws: `.diskFull`, with the size of the file system where even an empty one would not do.
    static func require(_ count: Int64, of total: Int64, in folder: TargetFolder) throws(TransferFailure) {
        var system = statvfs()
        guard count >= smallest, fstatvfs(folder.descriptor.number, &system) == 0, system.f_blocks > 0 else { return }
        let free = bytes(UInt64(geteuid() == 0 ? system.f_bfree : system.f_bavail), system)
        guard free.bytes < count else { return }
        let size = bytes(UInt64(system.f_blocks), system)
        let path = ErrnoFailure.absolute(folder.path)
        guard total <= size.bytes else {
            throw .diskFull(folder: path, needs: ByteCount(bytes: total), size: size)
        }
        throw .diskFull(folder: path, needs: ByteCount(bytes: count), free: free)
    }

    private static func bytes(_ blocks: UInt64, _ system: statvfs) -> ByteCount {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: UInt64(system.f_frsize))
        return ByteCount(bytes: isTooMuch ? .max : Int64(clamping: bytes))
    }

    /// `nil` for a root and for where we are.
    private static func above(_ path: String) -> String? {
        let parts = path.pathParts
        guard let last = parts.last, path != "." else { return nil }
        guard parts.count > 1 else { return path.hasPrefix("/") ? "/" : last == "." ? nil : "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    }
}
