import CTransport
import Glibc
import Synchronization
import WinchModel
import WinchSystem

/// Threads that use libraries whose data `exit` frees, such as OpenSSL: the process may end once they have ended.
final class ThreadGroup: Sendable {
    private let threads = Mutex<[pthread_t]>([])

    deinit {
        // The last reference may be held by one of the threads.
        for thread in threads.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// - Returns: false when the system gives no thread.
    func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = Threads.startJoinable(run) else { return false }
        threads.withLock { threads in
            // Threads that live for a few files do not pile up.
            threads.removeAll { winch_join_thread($0, 0) }
            threads.append(thread)
        }
        return true
    }

    /// Waits until all have ended. Not from one of the threads.
    ///
    /// - Returns: false when one still runs after `span`.
    func join(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        // The lock is not held while waiting: one of the threads may be starting another.
        while let thread = threads.withLock({ $0.popLast() }) {
            let left = max(.zero, deadline - SystemClock.moment())
            guard winch_join_thread(thread, Int32(clamping: left.nanoseconds / 1_000_000)) else {
                threads.withLock { $0.append(thread) }
                return false
            }
        }
        return true
    }
}
