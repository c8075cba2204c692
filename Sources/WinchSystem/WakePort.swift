import CSession
import Glibc

/// Wakes a thread that waits in `poll`. Several calls of `wake` before `drain` count as one.
package final class WakePort: Sendable {
    /// Readable after a call of `wake`, until `drain`.
    package let descriptor: Int32

    /// - Parameter failure: what is thrown if the process has no descriptor left; gets the errno of `eventfd`.
    package init<Failure: Error>(orThrow failure: (Int32) -> Failure) throws(Failure) {
        descriptor = winch_local_event()
        guard descriptor >= 0 else { throw failure(errno) }
    }

    deinit { close(descriptor) }

    /// May be called on any thread; never blocks.
    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes back all calls of `wake` so far.
    package func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
