import Glibc
import WinchCore

/// Who else is at a part file. The lock on it tells that somebody is, the kernel's list of locks who.
enum PartHolder {
    /// - Parameters:
    ///   - url: a part that says it is of another address is no matter of ours; `nil`: the part is ours by name.
    /// - Throws: `.inUse` when another process has the part open.
    static func refuse(_ name: String, in folder: TargetFolder, of url: TransferURL?) throws(TransferFailure) {
        let number = openat(folder.descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = Descriptor(number)
        // File systems without locks answer otherwise; there nobody can know.
        guard flock(number, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        let pid = holder(of: file)
        // One of our own that is being closed.
        guard pid != getpid() else { return }
        // Let go of meanwhile.
        if pid == nil, flock(number, LOCK_SH | LOCK_NB) == 0 { return }
        if let url, let theirs = PartAttributes.read(from: file)?.url, theirs != url.redacted { return }
        throw .inUse(folder.path(of: name.hasSuffix(".part") ? String(name.dropLast(5)) : name), pid: pid)
    }

    /// `nil` when the kernel does not say: the process is of another machine or container.
    ///
    /// - Source: proc_locks(5), `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`.
    private static func holder(of file: Descriptor) -> Int32? {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return nil }
        let node = ":\(status.st_ino)"
        for line in readLocks().split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(node), let pid = Int32(words[4]), pid > 0
            else { continue }
            return pid
        }
        return nil
    }

    private static func readLocks() -> String {
        let number = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let file = Descriptor(number)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < 1 << 22 {
            let count = read(file.number, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
