import Glibc
import WinchHTTP
import WinchModel

/// Decides whether a part belongs to a transfer, before anything is written to it. The name proves nothing: a finished
/// file may be called `x.part` as well.
struct PartClaim {
    /// Where the bytes may come from, without logins.
    let addresses: [String]
    /// The resume point of an earlier attempt or run; `nil`: only the name is known.
    let lastKnown: ResumePoint?
    /// A part with a strong ETag may also be of one of the addresses with another query, as a URL has that was signed anew.
    let acceptsOtherQuery: Bool
    /// A hash of the whole file is demanded, which proves also bytes of unknown origin.
    let hasHashes: Bool

    init(
        _ urls: [TransferURL], lastKnown: ResumePoint? = nil, acceptsOtherQuery: Bool = false, hasHashes: Bool = false
    ) {
        addresses = urls.map(\.redacted)
        self.lastKnown = lastKnown
        self.acceptsOtherQuery = acceptsOtherQuery
        self.hasHashes = hasHashes
    }

    enum Ownership {
        /// Device, inode, length and time of the last write are as this process left them.
        case unchanged
        /// Its attributes name one of the addresses.
        case named
        /// It is the transfer's, and its bytes are of no use: they are marked as wrong, or nothing proves them.
        case rejected
        /// A resume point names it, and its attributes name no other address: its bytes must be compared before it is written
        /// to. Or they name an address with another query: the server's ETag must be the same.
        case presumed
        case foreign
    }

    func ownership(of file: Descriptor, _ status: stat) -> Ownership {
        if Attribute.rejected.get(from: file).map(belongsToTransfer) ?? false { return .rejected }
        let isUnproved = !hasHashes && Attribute.adopted.get(from: file) != nil
        if let mark = lastKnown?.mark, mark == FileIdentity(status) { return isUnproved ? .rejected : .unchanged }
        if let url = Attribute.url.get(from: file) {
            if belongsToTransfer(url) { return isUnproved ? .rejected : .named }
            if acceptsOtherQuery, !isUnproved, isOfOtherQuery(url, file) { return .presumed }
        } else if Attribute.origin.get(from: file) != nil {
            // A finished file.
            return .foreign
        }
        return lastKnown == nil || isUnproved ? .foreign : .presumed
    }

    private func isOfOtherQuery(_ url: String, _ file: Descriptor) -> Bool {
        guard PartAttributes.read(from: file)?.version.validator?.isStrongETag ?? false,
            Attribute.rejected.get(from: file) == nil
        else { return false }
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        return addresses.contains { $0.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(path) }
    }

    /// Another spelling of the same address is the same.
    private func belongsToTransfer(_ address: String) -> Bool {
        if addresses.contains(address) { return true }
        return (try? TransferURL(address)).map { addresses.contains($0.redacted) } ?? false
    }
}

extension PartClaim {
    /// Opens a file of the user's own that has one name only and is not being written by another process. Changes nothing.
    static func open(_ name: String, in folder: TargetFolder) -> (file: Descriptor, status: stat)? {
        guard let file = Descriptor.open(name, in: folder.descriptor, O_RDWR | O_NOFOLLOW | O_NONBLOCK),
            let status = file.status, status.isFile, status.st_nlink == 1, status.st_uid == geteuid()
        else { return nil }
        // File systems without locks answer otherwise than EWOULDBLOCK; there it is used unlocked.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        return (file, status)
    }

    /// Removes what attempts have left of a file that is here: nothing will go on with it.
    ///
    /// - Returns: as `remove`.
    @discardableResult func removeParts(of target: String, in folder: TargetFolder) -> [Descriptor] {
        folder.partNames(of: target).compactMap { remove($0, in: folder) }
    }

    /// Removes the part if it belongs to the transfer.
    ///
    /// - Returns: the file, which may take long to close; `nil`: nothing was removed.
    func remove(_ name: String, in folder: TargetFolder) -> Descriptor? {
        guard let (file, status) = Self.open(name, in: folder) else { return nil }
        switch ownership(of: file, status) {
        case .unchanged, .named, .rejected: break
        case .presumed:
            // Where files have no attributes, the resume point and a length that fits must suffice.
            guard let lastKnown, !Attribute.exist(on: file), status.st_size >= lastKnown.onDisk.end,
                status.st_size <= lastKnown.total?.bytes ?? .max
            else { return nil }
        case .foreign: return nil
        }
        folder.unlink(name)
        return file
    }
}

/// Which other process writes a part file. The lock on the file shows that there is one, the kernel's list of locks its id.
enum PartHolder {
    /// - Parameters:
    ///   - url: a part that says that it is of another address is passed over; `nil`: the part is ours by name.
    /// - Throws: `.inUse` when another process has the part open.
    static func refuse(_ name: String, in folder: TargetFolder, of url: TransferURL?) throws(TransferFailure) {
        guard let file = folder.opened(name) else { return }
        // File systems without locks answer otherwise; there it cannot be known.
        guard flock(file.number, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        let pid = LockTable.holder(of: file)
        // A part of this process that is being closed.
        guard pid != getpid() else { return }
        // Unlocked meanwhile.
        if pid == nil, flock(file.number, LOCK_SH | LOCK_NB) == 0 { return }
        if let url {
            let own = url.redacted
            let isOther =
                Attribute.url.get(from: file).map { $0 != own }
                ?? Attribute.origin.get(from: file).map {
                    TransferURL.withoutSecrets($0) != TransferURL.withoutSecrets(own)
                }
            if isOther ?? false { return }
        }
        throw .inUse(folder.path(of: name.hasSuffix(".part") ? String(name.dropLast(5)) : name), pid: pid)
    }
}

/// The kernel's list of locks.
///
/// - Source: proc_locks(5), `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`: kind, process, then the device's major and
///   minor number in hexadecimal digits and the inode number in decimal ones.
struct LockTable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The process that has the file locked; `nil` when the kernel does not say: it is of another machine or container.
    static func holder(of file: Descriptor) -> Int32? {
        guard let status = file.status else { return nil }
        // 4 MiB: some 60,000 locks.
        let list = Descriptor.open("/proc/locks", O_RDONLY)?.bytes(most: 4 << 20) ?? []
        return LockTable(String(decoding: list, as: UTF8.self)).holder(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }

    /// - Parameter device: as in `stat`. Some file systems (btrfs, overlay) name another device there than in the list:
    ///   then the inode number must do, if one process alone has it locked.
    func holder(device: UInt64, node: UInt64) -> Int32? {
        let (major, minor) = (Self.major(device), Self.minor(device))
        var others: Set<Int32> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", let pid = Int32(words[4]), pid > 0 else { continue }
            let parts = words[5].split(separator: ":")
            guard parts.count == 3, UInt64(parts[2]) == node else { continue }
            if UInt64(parts[0], radix: 16) == major, UInt64(parts[1], radix: 16) == minor { return pid }
            others.insert(pid)
        }
        return others.count == 1 && !Self.isListed(device) ? others.first : nil
    }

    /// Devices with a major number are named alike everywhere; those without (0) are made up by the file system.
    private static func isListed(_ device: UInt64) -> Bool { major(device) != 0 }

    /// - Source: glibc's gnu_dev_major.
    private static func major(_ device: UInt64) -> UInt64 {
        (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
    }

    private static func minor(_ device: UInt64) -> UInt64 { device & 0xFF | (device >> 12) & 0xFFFF_FF00 }
}
