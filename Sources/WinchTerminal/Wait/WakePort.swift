import CTerminal
import Glibc

/// Wakes the loop on the main thread from any other one. Many calls before it looks are one.
public final class WakePort: Sendable {
    /// Readable when somebody has called.
    let descriptor: Int32

    /// - Throws: when the process has no descriptor left.
    public init() throws(TerminalFailure) {
        descriptor = winch_event_open()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Any thread; never waits.
    public func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes all calls so far.
    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
