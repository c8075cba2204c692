import CTransport
import Glibc
import WinchCore

/// `NAME.part`: the bytes that have come, from the start without a gap. The loop's thread's own.
///
/// Small pieces are gathered and written in large ones: a write costs more for its own sake than for its bytes.
final class PartFile {
    let file: Descriptor
    let folder: TargetFolder
    let name: String
    /// Bytes on disk.
    private(set) var written: Int64
    /// The attributes that were written to the file.
    private var attributes: PartAttributes?
    /// Of an earlier attempt, which may have written attributes.
    private let isReopened: Bool
    private var gathered: UnsafeMutableRawBufferPointer?
    private var filled = 0

    /// 256 KiB: larger writes are no faster, and sixteen of these must fit beside sixteen receive buffers.
    private static let gatherRoom = 256 << 10
    /// What comes in pieces this large is written as it comes.
    private static let direct = 128 << 10
    /// Numbers tried for a part's name before giving up.
    private static let mostNumbers = 10_000

    private init(file: Descriptor, folder: TargetFolder, name: String, written: Int64, isReopened: Bool = false) {
        self.file = file
        self.folder = folder
        self.name = name
        self.written = written
        self.isReopened = isReopened
    }

    deinit { gathered?.deallocate() }

    /// Bytes that have come, on disk or gathered.
    var position: Int64 { written + Int64(filled) }

    var path: String { folder.path(of: name) }

    /// Makes a new part for the file `target`. What exists under the name already is somebody else's: the next free
    /// name is taken.
    static func create(for target: String, in folder: TargetFolder) throws(TransferFailure) -> PartFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        for number in 0..<mostNumbers {
            let name = number == 0 ? target + ".part" : "\(target).\(number).part"
            let opened = openat(folder.descriptor.number, name, flags, 0o666)
            if opened >= 0 {
                // Whoever finds it knows that it is being written.
                _ = flock(opened, LOCK_EX | LOCK_NB)
                return PartFile(file: Descriptor(opened), folder: folder, name: name, written: 0)
            }
            guard errno == EEXIST else { throw DiskFailure.folder(errno, path: folder.path) }
        }
        throw .folder(folder.path, reason: "thousands of parts of \(target) are there already")
    }

    /// Opens a part of an earlier attempt.
    ///
    /// - Returns: `nil` when there is none, or what has the name is not a file of ours: a link, a folder, a file that
    ///   belongs to somebody else or that another process is writing.
    static func reopen(_ name: String, in folder: TargetFolder) -> PartFile? {
        let opened = openat(folder.descriptor.number, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        let file = Descriptor(opened)
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid()
        else { return nil }
        // File systems without locks answer otherwise than EWOULDBLOCK; there we go on unlocked.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        return PartFile(file: file, folder: folder, name: name, written: Int64(status.st_size), isReopened: true)
    }

    /// Takes the next bytes of the body.
    ///
    /// - Parameter isWhole: the body ends with these.
    func append(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) throws(TransferFailure) {
        if filled == 0, isWhole || bytes.count >= Self.direct {
            try write(bytes)
            return
        }
        var rest = bytes
        while !rest.isEmpty {
            let buffer = gathered ?? .allocate(byteCount: Self.gatherRoom, alignment: 4096)
            gathered = buffer
            let count = min(rest.count, buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if filled == buffer.count { try flush() }
        }
    }

    /// Takes all of a body at once.
    func append(_ content: [UInt8]) throws(TransferFailure) {
        let failure: TransferFailure? = content.withUnsafeBytes { bytes in
            do throws(TransferFailure) {
                try append(bytes, isWhole: true)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Puts on disk what is gathered. After an error `written` still says what is there.
    func flush() throws(TransferFailure) {
        guard filled > 0, let gathered else { return }
        let count = filled
        filled = 0
        try write(UnsafeRawBufferPointer(rebasing: gathered[..<count]))
    }

    /// There may be attributes on it.
    var isMarked: Bool { attributes != nil || isReopened }

    /// Writes the attributes; done when it turns out that the file does not come in one piece.
    func mark(_ wanted: PartAttributes) {
        guard attributes != wanted else { return }
        attributes = wanted
        // Locked first: a process that sees the attributes must see the lock as well.
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        wanted.write(to: file)
    }

    /// The bytes are about to be others than the attributes say.
    func unmark() {
        attributes = nil
        PartAttributes.remove(from: file)
    }

    /// Keeps the first `length` bytes.
    func cut(to length: Int64) throws(TransferFailure) {
        filled = 0
        guard length < written else { return }
        guard ftruncate(file.number, off_t(length)) == 0 else { throw failure(errno) }
        written = length
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = pwrite(file.number, rest.baseAddress, rest.count, off_t(written))
            if count > 0 {
                written += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count == 0 || errno != EINTR {
                throw failure(count == 0 ? EIO : errno)
            }
        }
    }

    private func failure(_ code: Int32) -> TransferFailure {
        DiskFailure.file(code, path: path, folder: folder.path)
    }
}
