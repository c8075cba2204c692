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
    /// What the file says of itself; `nil`: nothing.
    private(set) var attributes: PartAttributes?
    /// What of it survives a power loss.
    let durable: DurableLength
    private var gathered: UnsafeMutableRawBufferPointer?
    private var filled = 0

    /// 256 KiB: larger writes are no faster, and sixteen of these must fit beside sixteen receive buffers.
    private static let gatherRoom = 256 << 10
    /// What comes in pieces this large is written as it comes.
    private static let direct = 128 << 10
    /// Numbers tried for a part's name before giving up.
    private static let mostNumbers = 10_000

    private init(
        file: Descriptor, folder: TargetFolder, name: String, written: Int64 = 0, attributes: PartAttributes? = nil,
        synced: Int64 = 0
    ) {
        self.file = file
        self.folder = folder
        self.name = name
        self.written = written
        self.attributes = attributes
        durable = DurableLength(file, bytes: synced)
    }

    deinit { gathered?.deallocate() }

    /// Bytes that have come, on disk or gathered.
    var position: Int64 { written + Int64(filled) }

    var path: String { folder.path(of: name) }

    /// Makes a new part for the file `target`. What exists under the name already is somebody else's: the next free
    /// name is taken.
    ///
    /// - Parameter attributes: on the file before it has its name, where the file system can do that: a process that is
    ///   killed never leaves a part that nobody knows.
    static func create(
        for target: String, in folder: TargetFolder, _ attributes: PartAttributes? = nil
    ) throws(TransferFailure) -> PartFile {
        let unnamed = attributes.flatMap { prepared($0, in: folder) }
        for number in 0..<mostNumbers {
            let name = Self.name(of: target, number)
            let opened = unnamed.flatMap { named($0, name, in: folder) } ?? open(new: name, in: folder)
            if let opened {
                // Whoever finds it knows that it is being written.
                _ = flock(opened.number, LOCK_EX | LOCK_NB)
                let part = PartFile(
                    file: opened, folder: folder, name: name, attributes: opened === unnamed ? attributes : nil)
                if let attributes { part.mark(attributes) }
                return part
            }
            guard errno == EEXIST else {
                throw DiskFailure.creation(errno, of: folder.path(of: name), in: folder.path)
            }
        }
        throw .folder(folder.path, reason: "thousands of parts of \(target) are there already")
    }

    static func name(of target: String, _ number: Int) -> String {
        number == 0 ? target + ".part" : "\(target).\(number).part"
    }

    /// A file without a name that says already what it is.
    private static func prepared(_ attributes: PartAttributes, in folder: TargetFolder) -> Descriptor? {
        let number = winch_open_unnamed(folder.descriptor.number)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        _ = flock(number, LOCK_EX | LOCK_NB)
        DurableLength(file, bytes: 0).note()
        attributes.write(to: file)
        return file
    }

    private static func named(_ file: Descriptor, _ name: String, in folder: TargetFolder) -> Descriptor? {
        winch_name_unnamed(file.number, folder.descriptor.number, name) == 0 ? file : nil
    }

    private static func open(new name: String, in folder: TargetFolder) -> Descriptor? {
        let number = openat(
            folder.descriptor.number, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard number >= 0 else { return nil }
        // Whoever finds it knows that it is being written.
        _ = flock(number, LOCK_EX | LOCK_NB)
        return Descriptor(number)
    }

    /// Opens a part of an earlier attempt. What a power loss may have spoiled of it is cut off.
    ///
    /// - Parameter told: what its writer is known to have left, for a part that does not say so itself.
    /// - Returns: `nil` when there is none, or what has the name is not a file of ours: a link, a folder, a file that
    ///   belongs to somebody else or that another process is writing.
    static func reopen(_ name: String, in folder: TargetFolder, told: ResumePoint? = nil) -> PartFile? {
        let opened = openat(folder.descriptor.number, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        let file = Descriptor(opened)
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid()
        else { return nil }
        // File systems without locks answer otherwise than EWOULDBLOCK; there we go on unlocked.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        let length = Int64(status.st_size)
        let attributes = PartAttributes.read(from: file)
        let (trusted, synced) =
            attributes == nil
            ? told.map { (min($0.isAfterReboot ? max(0, $0.durable.bytes) : length, length), 0) } ?? (length, 0)
            : DurableLength.read(from: file, length: length)
        let part = PartFile(
            file: file, folder: folder, name: name, written: length, attributes: attributes, synced: synced)
        guard trusted == length || (try? part.cut(to: trusted)) != nil else { return nil }
        // What is added from now on is of the present boot.
        if attributes != nil { part.durable.note() }
        return part
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

    /// Writes the attributes, for the bytes that are there and those that come.
    func mark(_ wanted: PartAttributes) {
        guard attributes != wanted else { return }
        attributes = wanted
        // Locked first: a process that sees the attributes must see the lock as well.
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        durable.note()
        wanted.write(to: file)
    }

    /// Lets others open it, also while a sync still holds the file.
    func letGo() {
        durable.end()
        _ = flock(file.number, LOCK_UN)
    }

    /// How many of `bytes`, from their start, are the same in the file at `offset`. What cannot be read is not.
    func matching(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { room in
            var done = 0
            while done < bytes.count {
                let count = pread(
                    file.number, room.baseAddress, min(room.count, bytes.count - done), off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0, let read = room.baseAddress, let base = bytes.baseAddress else { return done }
                guard memcmp(read, base + done, count) == 0 else {
                    return done + (0..<count).prefix { room[$0] == bytes[done + $0] }.count
                }
                done += count
            }
            return done
        }
    }

    /// Keeps the first `length` bytes.
    func cut(to length: Int64) throws(TransferFailure) {
        filled = 0
        guard length < written else { return }
        durable.cut(to: length)
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
