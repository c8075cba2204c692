import CTransport
import Glibc
import WinchModel
import WinchSystem

/// `NAME.part`: the bytes that have come, and what the file says of itself. Used on the loop's thread only.
///
/// A `PartWriter` writes the bytes of one connection into it; several may write into different places of one part.
final class PartFile {
    let file: Descriptor
    let folder: TargetFolder
    let name: String
    /// Bytes on disk, as far as they can be trusted.
    private(set) var held: ByteRanges
    /// Bytes in the file: of one that was reopened perhaps more than can be trusted.
    private(set) var length: Int64
    /// Up to here disk space is reserved, which the length does not show; 0: nowhere.
    var reservedEnd: Int64 = 0
    /// It is known to belong to the transfer: it may be cut and removed.
    var belongsToTransfer = true
    /// Its last bytes are those that this process has written or compared with the server's: no other program has written
    /// to it since.
    var isProven = true
    /// Bytes that are fetched over both connections on each side of where these meet, and compared; 0: bytes that come again are
    /// not compared.
    var seam: Int64 = 0
    /// Bytes that came again were others: it has those of two files.
    private(set) var isMixed = false
    /// Its attributes name its origin, and the boot in which it is written.
    private var isMarked = false
    /// What the file says of itself; `nil`: nothing.
    private(set) var attributes: PartAttributes?
    let durable: DurableRanges
    /// There is, or was, a gap between bytes that are held: the note names their ranges.
    private var hasGaps: Bool

    /// Numbers tried for a part's name before giving up.
    private static let mostNumbers = 10_000

    private init(
        file: Descriptor, folder: TargetFolder, name: String, held: ByteRanges = ByteRanges(),
        attributes: PartAttributes? = nil, synced: ByteRanges = ByteRanges(), boot: String?
    ) {
        self.file = file
        self.folder = folder
        self.name = name
        self.held = held
        length = held.ranges.last?.upperBound ?? 0
        self.attributes = attributes
        hasGaps = held.hasGap
        durable = DurableRanges(file, synced: synced, written: held.hasGap ? held : nil, boot: boot)
    }

    var path: String { folder.path(of: name) }

    /// Bytes that are held from the start without a gap.
    var written: Int64 { held.prefixEnd }

    /// Makes a new part for the file `target`, under the first name that no file has.
    ///
    /// - Parameter attributes: on the file before it has its name, where the file system can do that: a process that is
    ///   killed never leaves a part that no run knows.
    static func create(
        for target: String, in folder: TargetFolder, _ attributes: PartAttributes? = nil,
        boot: String? = BootID.current
    ) throws(TransferFailure) -> PartFile {
        let unnamed = attributes.flatMap { prepared($0, in: folder, boot) }
        for number in 0..<mostNumbers {
            let name = Self.name(of: target, number)
            let opened =
                unnamed.flatMap { named($0, name, in: folder) }
                ?? Descriptor.open(name, in: folder.descriptor, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
            if let opened {
                // Another process that finds it must see that it is being written.
                _ = flock(opened.number, LOCK_EX | LOCK_NB)
                let part = PartFile(
                    file: opened, folder: folder, name: name, attributes: opened === unnamed ? attributes : nil,
                    boot: boot)
                part.isMarked = opened === unnamed
                if let attributes { part.mark(attributes) }
                return part
            }
            guard errno == EEXIST else {
                throw ErrnoFailure.creation(errno, of: folder.path(of: name), in: folder.path)
            }
        }
        throw .folder(folder.path, reason: "thousands of partial files of \(target) exist already")
    }

    static func name(of target: String, _ number: Int) -> String {
        number == 0 ? target + ".part" : "\(target).\(number).part"
    }

    /// A file without a name that says already what it is.
    private static func prepared(
        _ attributes: PartAttributes, in folder: TargetFolder, _ boot: String?
    ) -> Descriptor? {
        let number = winch_open_unnamed(folder.descriptor.number)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        _ = flock(number, LOCK_EX | LOCK_NB)
        DurableRanges(file, boot: boot).note()
        attributes.write(to: file)
        return file
    }

    private static func named(_ file: Descriptor, _ name: String, in folder: TargetFolder) -> Descriptor? {
        winch_name_unnamed(file.number, folder.descriptor.number, name.cBytes) == 0 ? file : nil
    }

    /// Opens a part of an earlier attempt. Nothing is written to it, nor cut off, before `cut` or `mark`.
    ///
    /// - Returns: `nil` when there is none, or what has the name is not ours: a link, a folder, a file of another user or
    ///   address, a finished one, one that another process is writing.
    static func reopen(
        _ name: String, in folder: TargetFolder, _ claim: PartClaim, boot: String? = BootID.current
    ) -> PartFile? {
        guard let (file, status) = PartClaim.open(name, in: folder) else { return nil }
        let length = Int64(status.st_size)
        let ownership = claim.ownership(of: file, status)
        let attributes = PartAttributes.read(from: file)
        let note = PartSyncState.read(from: file)
        let noted: (trusted: ByteRanges, synced: ByteRanges) =
            note?.trust(length: length, boot: boot) ?? (ByteRanges(), ByteRanges())
        let extent = ByteRanges(0..<length)
        // Where the resume point knows of gaps the length says nothing, nor where this process knows how it left the part.
        let all =
            claim.lastKnown.flatMap { $0.onDisk.hasGap || $0.mark != nil ? $0.onDisk.intersection(extent) : nil }
            ?? extent
        let lastKnown = claim.lastKnown?.durable.intersection(extent) ?? ByteRanges()
        let (trusted, synced): (ByteRanges, ByteRanges)
        switch ownership {
        case .unchanged: (trusted, synced) = (note?.written(length: length) ?? all, lastKnown.union(noted.synced))
        case .named: (trusted, synced) = noted
        case .rejected: (trusted, synced) = (ByteRanges(), ByteRanges())
        case .presumed where attributes != nil: (trusted, synced) = noted
        case .presumed: (trusted, synced) = (claim.lastKnown?.isAfterReboot ?? true ? lastKnown : all, lastKnown)
        case .foreign: return nil
        }
        let isPresumed = ownership == .presumed
        // Without a byte to compare the part cannot be proved to be the transfer's.
        if isPresumed, trusted.prefixEnd == 0 { return nil }
        let part = PartFile(
            file: file, folder: folder, name: name, held: trusted, attributes: attributes, synced: synced, boot: boot)
        part.length = length
        part.belongsToTransfer = !isPresumed
        part.isProven = ownership == .unchanged
        part.isMarked = false
        return part
    }

    /// Writes the attributes, for the bytes that are there and those that come.
    func mark(_ wanted: PartAttributes) {
        guard attributes != wanted || !isMarked else { return }
        // Locked first: a process that sees the attributes must see the lock as well.
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        durable.note()
        if attributes == nil { Attribute.rejected.remove(from: file) }
        if attributes != wanted { wanted.write(to: file) }
        (attributes, isMarked) = (wanted, true)
    }

    /// `nil` when the system does not tell it.
    var identity: TargetFolder.Identity? { file.status.map(TargetFolder.Identity.init) }

    /// Its name still belongs to it, and not to another file.
    var hasItsName: Bool { identity.map { folder.holds($0, as: name) } ?? false }

    /// Removes its name, unless that belongs to another file by now.
    func unlink() {
        if hasItsName { folder.unlink(name) }
    }

    /// Unlocks it for other processes, also while a sync still holds the file open. The note names the bytes that are held, so
    /// that no run trusts those that another program adds.
    func release() {
        if isMarked || hasGaps { durable.note(written: held) }
        durable.end()
        _ = flock(file.number, LOCK_UN)
    }

    /// The first 256 bytes at most: enough to tell a page by.
    func beginning() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, file.fill(UnsafeMutableRawBufferPointer(buffer), most: 256, at: 0))
        }
    }

    func cut(to length: Int64) throws(TransferFailure) {
        held.remove(contentsOf: length..<Int64.max)
        guard length < self.length else { return }
        durable.cut(to: length)
        guard ftruncate(file.number, off_t(length)) == 0 else { throw failure(errno) }
        if length == 0 { Attribute.adopted.remove(from: file) }
        self.length = length
        reservedEnd = 0
        guard hasGaps, length == written else { return }
        hasGaps = false
        durable.note(written: nil)
    }

    /// After a failed sync only what was synced before is kept: the rest can be read now, and may not be on the disk.
    func dropUnsynced() throws(TransferFailure) {
        guard file.syncError != 0 else { return }
        held = held.intersection(durable.ranges)
        hasGaps = hasGaps || held.hasGap
        try cut(to: held.end)
    }

    /// These bytes are wrong, and are to be written once more.
    func forget(_ range: Range<Int64>) {
        held.remove(contentsOf: range)
        hasGaps = true
        durable.forget(range, written: held)
    }

    /// Notes which bytes are held, if there are gaps between them. What is not noted, a second's bytes at most, is fetched
    /// again after the process was killed.
    func noteHeld() {
        if hasGaps { durable.note(written: held) }
    }

    /// Writes at a position. Bytes that are held already stay as they are: they were checked, or are being hashed.
    ///
    /// - Parameter position: moves on by the bytes that are written, also before an error.
    /// - Throws: `.mixed` also for all that comes after bytes that differed; why a sync has failed.
    func write(_ bytes: UnsafeRawBufferPointer, at position: inout Int64) throws(TransferFailure) {
        guard !isMixed else { throw .mixed }
        guard file.syncError == 0 else { throw failure(file.syncError) }
        if position > written, !hasGaps {
            // Before the bytes: the length of the file says nothing from now on.
            hasGaps = true
            durable.note(written: held)
        }
        var rest = bytes
        while !rest.isEmpty {
            let next = held.ranges.first { $0.upperBound > position }
            if let next, next.lowerBound <= position {
                let count = Int(min(Int64(rest.count), next.upperBound - position))
                let again = UnsafeRawBufferPointer(rebasing: rest[..<count])
                if seam > 0, file.matching(again, at: position) < count {
                    isMixed = true
                    throw .mixed
                }
                position += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            let free = next.map { Int(min(Int64(rest.count), $0.lowerBound - position)) } ?? rest.count
            let count = pwrite(file.number, rest.baseAddress, free, off_t(position))
            if count > 0 {
                held.insert(contentsOf: position..<position + Int64(count))
                position += Int64(count)
                length = max(length, position)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count == 0 || errno != EINTR {
                throw failure(count == 0 ? EIO : errno)
            }
        }
    }

    func failure(_ code: Int32) -> TransferFailure {
        ErrnoFailure.file(code, path: path, folder: folder.path)
    }
}

/// Disk space that is reserved for bytes to come. The length of the file stays: it always says which bytes have come.
///
/// A process that is killed cannot give it back: the part takes the space of the whole file (`du` shows it, `ls` does not) until
/// a run goes on with the part and stops or completes it, or the part is removed.
extension PartFile {
    private var allocated: Int64 { file.status.map { Int64($0.st_blocks) * 512 } ?? 0 }

    /// Space of the file that none of the bytes held takes: reserved by an earlier run, behind the last byte or in the gaps.
    var spare: Int64 { max(0, allocated - held.byteCount.bytes) }

    /// Bytes of free space that the rest of a file of `total` bytes needs.
    func neededSpace(for total: Int64) -> Int64 { max(0, total - held.byteCount.bytes - spare) }

    /// Reserves space for the missing bytes up to `end`, the size of the file.
    ///
    /// - Returns: false where the file system cannot do it, or nothing is missing.
    /// - Throws: `.diskFull`.
    func reserve(to end: Int64) throws(TransferFailure) -> Bool {
        if reservedEnd > end { giveBackReserve() }
        guard end > written else { return false }
        while winch_reserve(file.number, written, end - written) != 0 {
            switch errno {
            case EINTR: continue
            case ENOSPC:
                // Some file systems keep what they could reserve.
                reservedEnd = end
                giveBackReserve()
                throw failure(ENOSPC)
            // Mostly EOPNOTSUPP. What else is wrong, such as a quota, the first write tells.
            default: return false
            }
        }
        reservedEnd = end
        return true
    }

    /// Space that an earlier run has reserved is given back with that of this run, also where this one reserves none.
    func takeOverReserve() { reservedEnd = max(reservedEnd, allocated) }

    /// Gives back the space behind the last byte.
    func giveBackReserve() {
        // Setting the length that it has frees the blocks behind it.
        if reservedEnd > length { _ = ftruncate(file.number, off_t(length)) }
        reservedEnd = 0
    }
}
