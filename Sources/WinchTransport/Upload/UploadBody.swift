import Glibc
import WinchHTTP
import WinchModel

/// What an upload sends: bytes and open files, one after the other. Read by position, so that every part can be sent again.
final class UploadBody {
    private enum Part {
        case bytes([UInt8])
        /// - Parameter isAtPath: false for a file that was given open, whose path is only a name for messages.
        case file(Descriptor, path: String, FileIdentity, isAtPath: Bool)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let identity, _): identity.length
            }
        }
    }

    private var parts: [(start: Int64, part: Part)] = []
    /// In bytes.
    private(set) var size: Int64 = 0
    /// The header field `Content-Type`.
    let contentType: String
    /// The version of the only file; `nil`: there is none, or there are several.
    let source: FileIdentity?

    /// - Throws: when a file cannot be opened, or is none.
    init(file path: String, type: String?) throws(TransferFailure) {
        let (file, identity) = try Self.open(path)
        contentType = type ?? MediaType.of(fileName: path)
        source = identity
        append(.file(file, path: path, identity, isAtPath: true))
    }

    /// - Parameter file: a regular file that is open already.
    init(_ file: Descriptor, named name: String, type: String?) throws(TransferFailure) {
        guard let identity = FileIdentity(file) else {
            throw .readWrite(name, reason: ErrnoFailure.words(errno))
        }
        contentType = type ?? MediaType.of(fileName: name)
        source = identity
        append(.file(file, path: name, identity, isAtPath: false))
    }

    /// A form, as multipart/form-data.
    init(form fields: [FormField], boundary: String) throws(TransferFailure) {
        contentType = "multipart/form-data; boundary=" + boundary
        source = nil
        for field in fields {
            append(.bytes(MultipartForm.head(of: field, boundary: boundary)))
            if case .file(let path, _, _) = field.value {
                let (file, identity) = try Self.open(path)
                append(.file(file, path: path, identity, isAtPath: true))
            }
            append(.bytes(MultipartForm.lineEnd))
        }
        append(.bytes(MultipartForm.end(boundary: boundary)))
    }

    private func append(_ part: Part) {
        parts.append((size, part))
        size += part.count
    }

    private static func open(_ path: String) throws(TransferFailure) -> (Descriptor, FileIdentity) {
        // The system would open the file whose name is before it.
        guard !path.utf8.contains(0) else { throw .readWrite(path, reason: "the name has a NUL byte") }
        // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing.
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .readWrite(path, reason: ErrnoFailure.words(errno)) }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .readWrite(path, reason: ErrnoFailure.words(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (file, FileIdentity(status))
        case S_IFDIR: throw .readWrite(path, reason: "is a folder; name the files in it")
        default: throw .readWrite(path, reason: "is neither a file nor a FIFO")
        }
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
        for case (_, .file(let file, let path, let identity, let isAtPath)) in parts {
            guard FileIdentity(file) == identity else { throw .sourceChanged(path) }
            var status = stat()
            // A file that was removed is whole all the same.
            if isAtPath, stat(path, &status) == 0, FileIdentity(status) != identity { throw .sourceChanged(path) }
        }
    }
}
