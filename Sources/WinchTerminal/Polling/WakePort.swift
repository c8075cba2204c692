import CTerminal
import Glibc

/// Wakes the loop on the main thread from any other thread. Several calls of `wake` before the loop's `drain` count
/// as one.
package final class WakePort: Sendable {
    /// Readable after a call of `wake`, until `drain`.
    let descriptor: Int32

    /// - Throws: if the process has no descriptor left.
    package init() throws(TerminalFailure) {
        descriptor = winch_event_open()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// May be called on any thread; never blocks.
    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes back all calls of `wake` so far.
    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
