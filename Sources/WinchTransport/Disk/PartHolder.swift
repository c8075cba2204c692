import Glibc
import WinchModel

/// Which other process writes a part file. The lock on the file shows that there is one, the kernel's list of locks its id.
enum PartHolder {
    /// - Parameters:
    ///   - url: a part that says that it is of another address is passed over; `nil`: the part is ours by name.
    /// - Throws: `.inUse` when another process has the part open.
    static func refuse(_ name: String, in folder: TargetFolder, of url: TransferURL?) throws(TransferFailure) {
        let number = openat(folder.descriptor.number, name.cBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = Descriptor(number)
        // File systems without locks answer otherwise; there it cannot be known.
        guard flock(number, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        let pid = LockTable.holder(of: file)
        // A part of this process that is being closed.
        guard pid != getpid() else { return }
        // Unlocked meanwhile.
        if pid == nil, flock(number, LOCK_SH | LOCK_NB) == 0 { return }
        let theirs = Attribute.url.get(from: file) ?? Attribute.origin.get(from: file)
        if let url, let theirs, theirs != url.redacted { return }
        throw .inUse(folder.path(of: name.hasSuffix(".part") ? String(name.dropLast(5)) : name), pid: pid)
    }
}
