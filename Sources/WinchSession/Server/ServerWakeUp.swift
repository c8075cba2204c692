import CSession
import Glibc

/// Wakes a thread that waits in `poll`. Several calls of `ring` before `drain` count as one.
final class ServerWakeUp: Sendable {
    /// Readable after `ring`, until `drain`.
    let descriptor: Int32

    init() throws(SessionFailure) {
        descriptor = winch_local_event()
        guard descriptor >= 0 else { throw .system(path: "eventfd", reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// May be called on any thread; never blocks.
    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
