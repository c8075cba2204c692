import CTransport
package import Glibc
import WinchHTTP
package import WinchModel

/// What an upload sends: bytes and open files, one after the other. Read by position, so that every part can be sent again.
final class UploadBody: Sendable {
    private enum Part: Sendable {
        case bytes([UInt8])
        /// - Parameter isAtPath: false for a file that was given open, whose path is only a name for messages.
        case file(Descriptor, path: String, OpenedFile, isAtPath: Bool)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let opened, _): opened.identity.length
            }
        }
    }

    private struct OpenedFile: Sendable {
        let identity: FileIdentity
        /// Mode, owner, group and number of names, whose change is one of the file but not of its bytes.
        let attributes: [UInt64]

        init(_ status: stat) {
            identity = FileIdentity(source: status)
            attributes = [
                UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_gid), UInt64(status.st_nlink),
            ]
        }
    }

    private let parts: [(start: Int64, part: Part)]
    /// In bytes.
    let size: Int64
    let contentType: String
    /// The version of the only file; `nil`: there is none, or there are several.
    let source: FileIdentity?

    /// - Parameters:
    ///   - file: a regular file that is open already.
    ///   - isAtPath: `name` is its path; false: it is for messages only.
    init(_ file: Descriptor, named name: String, isAtPath: Bool = false, type: String?) throws(TransferFailure) {
        guard let status = file.status else { throw .readWrite(name, reason: ErrnoFailure.words(errno)) }
        let opened = OpenedFile(status)
        contentType = type ?? MediaType.of(fileName: name)
        source = opened.identity
        (parts, size) = Self.placed([.file(file, path: name, opened, isAtPath: isAtPath)])
    }

    /// The body of a folder, which has no bytes.
    ///
    /// - Parameter listed: see `UploadOrder.listedParts`.
    /// - Throws: when it cannot be read, or is none.
    init(folder path: String, listed: Int?) throws(TransferFailure) {
        guard try Self.opened(path, listed: listed, O_RDONLY | O_DIRECTORY) != nil else {
            let reason = errno == ENOTDIR ? "is neither a file nor a folder" : ErrnoFailure.words(errno)
            throw .readWrite(path, reason: reason)
        }
        (contentType, source, parts, size) = ("", nil, [], 0)
    }

    init(form fields: [FormField], boundary: String) throws(TransferFailure) {
        contentType = "multipart/form-data; boundary=" + boundary
        source = nil
        var parts: [Part] = []
        for field in fields {
            parts.append(.bytes(MultipartForm.head(of: field, boundary: boundary)))
            if case .file(let path, _, _) = field.value {
                let (file, status) = try Self.open(path)
                parts.append(
                    UnsizedFile.hasOtherSize(file.number, status)
                        ? .bytes(try Self.readWhole(file, path))
                        : .file(file, path: path, OpenedFile(status), isAtPath: true))
            }
            parts.append(.bytes(MultipartForm.lineEnd))
        }
        parts.append(.bytes(MultipartForm.end(boundary: boundary)))
        (self.parts, size) = Self.placed(parts)
    }

    /// - Returns: the parts with the position of each, and the bytes of all.
    private static func placed(_ parts: [Part]) -> ([(start: Int64, part: Part)], Int64) {
        var size: Int64 = 0
        let placed = parts.map { part in
            defer { size += part.count }
            return (size, part)
        }
        return (placed, size)
    }

    /// - Parameter listed: see `UploadOrder.listedParts`.
    /// - Throws: when the file cannot be opened, or is none.
    static func open(_ path: String, listed: Int? = nil) throws(TransferFailure) -> (Descriptor, stat) {
        // The system would open the file whose name is before it.
        guard !path.utf8.contains(0) else { throw .readWrite(path, reason: "the name has a NUL byte") }
        // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing.
        guard let file = try opened(path, listed: listed, O_RDONLY | O_NONBLOCK) else {
            // The links in a user's own path are followed, so that too many of them are a circle.
            let reason = errno == ELOOP ? "its symbolic links lead in a circle" : ErrnoFailure.words(errno)
            throw .readWrite(path, reason: reason)
        }
        guard let status = file.status else { throw .readWrite(path, reason: ErrnoFailure.words(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (file, status)
        case S_IFDIR: throw .readWrite(path, reason: "is a folder; winch put -r sends folders")
        default: throw .readWrite(path, reason: "is neither a file nor a " + (listed == nil ? "FIFO" : "folder"))
        }
    }

    /// - Returns: `nil` with `errno` when it cannot be opened.
    /// - Throws: when a link has replaced a listed part.
    private static func opened(
        _ path: String, listed: Int?, _ flags: Int32
    ) throws(TransferFailure) -> Descriptor? {
        let (own, parts) = TargetFolder.split(path, named: listed ?? 0)
        var descriptor = Descriptor.open(own, parts.isEmpty ? flags : TargetFolder.flags)
        var place = own
        for (index, part) in parts.enumerated() {
            guard let folder = descriptor else { return nil }
            let (name, isLast) = (String(part), index == parts.count - 1)
            place = TargetFolder.joined(place, name)
            descriptor = Descriptor.open(name, in: folder, (isLast ? flags : TargetFolder.flags) | O_NOFOLLOW)
            if descriptor != nil { continue }
            let code = errno
            if let status = folder.status(of: name), status.isLink {
                throw .readWrite(place, reason: "is a symbolic link now, which is not sent without --follow")
            }
            errno = code
            return nil
        }
        return descriptor
    }

    /// 64 MiB: files of /proc and /sys are far smaller.
    private static let longestUnsized = 64 << 20

    /// The bytes of a file whose size is not known, for a form, which begins with its length.
    private static func readWhole(_ file: Descriptor, _ path: String) throws(TransferFailure) -> [UInt8] {
        guard let bytes = file.bytes(most: longestUnsized) else {
            throw .readWrite(path, reason: ErrnoFailure.words(errno))
        }
        guard bytes.count <= longestUnsized else {
            throw .readWrite(path, reason: "its size is not known, and it is too large for a form")
        }
        return bytes
    }

    /// Reads bytes at a position. Before the last ones are given, all files are compared with what they were when they were
    /// opened.
    ///
    /// - Parameter end: no byte at or beyond it is wanted.
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: `.sourceChanged`, and when a file cannot be read.
    func read(
        at position: Int64, before end: Int64, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferFailure) -> Int {
        var count = 0
        var index = parts.lastIndex { $0.start <= position } ?? 0
        while count < room.count, position + Int64(count) < end, index < parts.count {
            let (start, part) = parts[index]
            let offset = position + Int64(count) - start
            let wanted = Int(min(Int64(room.count - count), part.count - offset, end - position - Int64(count)))
            guard wanted > 0 else {
                index += 1
                continue
            }
            let target = UnsafeMutableRawBufferPointer(rebasing: room[count..<count + wanted])
            count += try Self.read(part, at: offset, into: target)
        }
        if position + Int64(count) >= size { try checkSources() }
        return count
    }

    /// - Returns: `nil` when they cannot be read.
    func bytes(_ range: Range<Int64>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { room in
                try? read(
                    at: range.lowerBound + Int64(count), before: range.upperBound,
                    into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            }
            guard let more, more > 0 else { return nil }
            count += more
        }
        return bytes
    }

    private static func read(
        _ part: Part, at offset: Int64, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferFailure) -> Int {
        switch part {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)...].prefix(room.count)))
            }
            return room.count
        case .file(let file, let path, _, _):
            let count = withExtendedLifetime(file) { pread(file.number, room.baseAddress, room.count, Int(offset)) }
            guard count >= 0 else {
                if errno == EINTR { return 0 }
                throw .readWrite(path, reason: ErrnoFailure.words(errno))
            }
            // It has become shorter.
            guard count > 0 else { throw .sourceChanged(path) }
            return count
        }
    }

    /// - Throws: `.sourceChanged` when a file was written to since it was opened, or another one has its name.
    func checkSources() throws(TransferFailure) {
        for case (_, .file(let file, let path, let opened, let isAtPath)) in parts {
            var named = stat()
            guard let status = file.status else { throw .sourceChanged(path) }
            let now = OpenedFile(status)
            // A new name or mode meanwhile does not change the bytes.
            var content = opened.identity
            content.changed = nil
            guard now.identity == content else { throw .sourceChanged(path) }
            // A file that was removed or renamed is whole all the same.
            guard isAtPath, stat(path.cBytes, &named) == 0 else { continue }
            guard FileIdentity(named) == content else { throw .sourceChanged(path) }
            // It was written to, and its old time was restored.
            if now.identity != opened.identity, now.attributes == opened.attributes { throw .sourceChanged(path) }
        }
    }
}

extension FileIdentity {
    /// The version of a file that is uploaded.
    package init(source status: stat) {
        self.init(status)
        changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    }
}

/// A regular file whose size the system does not know: in /proc and in some FUSE file systems it is said to be 0, in /sys a whole
/// page. Its end is found by reading it.
package enum UnsizedFile {
    /// Reads a file that may be one.
    ///
    /// - Parameter status: of the file at the path.
    package static func hasOtherSize(_ path: String, _ status: stat) -> Bool {
        guard mayHaveOtherSize(status) else { return false }
        guard let file = Descriptor.open(path, O_RDONLY | O_NONBLOCK) else { return false }
        return withExtendedLifetime(file) { hasOtherSize(file.number, status) }
    }

    /// - Parameter status: of the open file.
    static func hasOtherSize(_ number: Int32, _ status: stat) -> Bool {
        guard mayHaveOtherSize(status) else { return false }
        var (bytes, length) = ([UInt8](repeating: 0, count: largestPage), 0)
        while true {
            let count = pread(number, &bytes, bytes.count, length)
            if count < 0, errno == EINTR { continue }
            // It has none yet, as /proc/kmsg, or why it cannot be read is said when it is sent.
            if count < 0 { return true }
            length += count
            if count == 0 || length > status.st_size { return length != status.st_size }
        }
    }

    private static func mayHaveOtherSize(_ status: stat) -> Bool {
        guard status.isFile else { return false }
        return status.st_size == 0 || status.st_blocks == 0 && status.st_size <= largestPage
    }

    /// 64 KiB, on some ARM and POWER machines.
    private static let largestPage = 64 << 10
}

/// Bytes in memory that are uploaded like a file.
package enum UploadMemory {
    /// - Returns: the descriptor of a file in memory, to be closed; `nil` when there is none to be had.
    package static func open(_ bytes: [UInt8]) -> Int32? {
        let number = winch_open_in_memory("upload")
        guard number >= 0 else { return nil }
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(number, $0.baseAddress.map { $0 + position }, bytes.count - position, position)
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                close(number)
                return nil
            }
            position += count
        }
        return number
    }
}

extension UploadOrder {
    /// The size of the file that is sent, 0 of a folder; `nil`: it is none, or is known at the end only. Reads the file system.
    package var sizeOnDisk: ByteCount? {
        guard folder == nil else { return .zero }
        var status = stat()
        guard let file, stat(file.cBytes, &status) == 0, status.isFile,
            !UnsizedFile.hasOtherSize(file, status)
        else { return nil }
        return ByteCount(bytes: Int64(status.st_size))
    }
}
