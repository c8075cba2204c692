import Glibc

/// Tells which runs live: each holds one byte of a file locked, and the kernel lets go of it when the process ends,
/// however it ends.
///
/// Byte 0 is held while a ledger is opened or only read, byte n by run n for its whole life. The locks belong to the open
/// file, not to the process: two ledgers in one process see one another as well.
///
/// - Source: fcntl(2), open file description locks.
final class RunLocks: Sendable {
    private let descriptor: Int32
    private let path: String

    static let opening: Int64 = 0

    init(path: String) throws(LedgerFailure) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: false when somebody else holds it.
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

    /// Waits for whoever is opening the ledger: that takes a second at most.
    func lockOpening() throws(LedgerFailure) {
        for _ in 0..<Self.patience {
            if try lock(Self.opening) { return }
            usleep(10_000)
        }
        throw .busy(path)
    }

    func unlockOpening() { unlock(Self.opening) }

    /// Somebody else holds it.
    func isHeld(_ run: Int64) -> Bool { isHeld(from: run, count: 1) }

    /// Some other run lives.
    var hasLivingRuns: Bool { isHeld(from: 1, count: 0) }

    /// - Parameter count: of bytes; 0: to the end.
    private func isHeld(from place: Int64, count: Int64) -> Bool {
        var request = Self.request(place, count: count, type: F_WRLCK)
        // What cannot be asked is taken for held: nobody's entries are to be run twice.
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

    /// Ten seconds, in turns of 10 ms.
    private static let patience = 1000
    /// F_OFD_GETLK and F_OFD_SETLK, which the module of the C library leaves out.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)
}
