import Glibc
import WinchModel

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
