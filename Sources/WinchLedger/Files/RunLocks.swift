import Glibc
import WinchModel
import WinchSystem

/// Knows which runs are alive: each run holds a lock on one byte of a file, and the kernel releases it when the process
/// ends, also after a crash.
///
/// Byte 0 is locked while a ledger is opened or its history is read, byte n by run n for its whole life. The locks belong
/// to the open file, not to the process: two ledgers in one process see each other's.
///
/// - Source: fcntl(2), open file description locks.
final class RunLocks: Sendable {
    private let descriptor: Int32
    private let path: String

    static let opening: Int64 = 0

    init(path: String) throws(LedgerFailure) {
        self.path = path
        descriptor = open(path.cBytes, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: false when another run holds the lock.
    func lock(_ place: Int64) throws(LedgerFailure) -> Bool {
        var request = Self.request(place, count: 1, type: F_WRLCK)
        if fcntl(descriptor, Self.setLock, &request) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else {
            throw .unusable(path, reason: String(cString: strerror(errno)))
        }
        return false
    }

    func unlock(_ place: Int64) {
        var request = Self.request(place, count: 1, type: F_UNLCK)
        _ = fcntl(descriptor, Self.setLock, &request)
    }

    /// Waits while another process opens the ledger, which takes a second at most.
    ///
    /// - Throws: `.busy` after ten seconds.
    func lockOpening() throws(LedgerFailure) {
        for _ in 0..<Self.maxAttempts {
            if try lock(Self.opening) { return }
            usleep(10_000)
        }
        throw .busy(path)
    }

    func unlockOpening() { unlock(Self.opening) }

    /// Another run holds the lock. True also when the kernel does not answer: an entry must not be run twice.
    func isHeld(_ run: Int64) -> Bool { isHeld(from: run, count: 1) }

    /// Any other run is alive.
    var hasLivingRuns: Bool { isHeld(from: 1, count: 0) }

    /// - Parameter count: of bytes; 0: to the end.
    private func isHeld(from place: Int64, count: Int64) -> Bool {
        var request = Self.request(place, count: count, type: F_WRLCK)
        guard fcntl(descriptor, Self.getLock, &request) == 0 else { return true }
        return Int32(request.l_type) != F_UNLCK
    }

    private static func request(_ place: Int64, count: Int64, type: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = off_t(place)
        request.l_len = off_t(count)
        return request
    }

    /// Attempts, 10 ms apart: ten seconds.
    private static let maxAttempts = 1000
    /// F_OFD_GETLK and F_OFD_SETLK, which the module of the C library leaves out.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)
}

/// The process of a run and the boot of the machine in which it runs.
package struct RunIdentity: Hashable, Sendable {
    var pid: Int32
    /// Changes with every boot of the machine; empty when the kernel does not provide it.
    var bootID: String
    /// Relative folders are resolved against it.
    let workingFolder: String
    private let folder: WorkingFolder

    init(pid: Int32, bootID: String, workingFolder: String) {
        (self.pid, self.bootID, self.workingFolder) = (pid, bootID, workingFolder)
        folder = WorkingFolder(workingFolder)
    }

    package static func current() -> RunIdentity {
        RunIdentity(pid: getpid(), bootID: BootID.current ?? "", workingFolder: CurrentFolder.path ?? "/")
    }

    /// True unless it is certain that the machine has not been rebooted since.
    func isAfterReboot(since bootID: String) -> Bool { bootID.isEmpty || bootID != self.bootID }

    /// As `WorkingFolder` has it.
    func absolute(_ path: String) -> String { folder.absolute(path) }
}
