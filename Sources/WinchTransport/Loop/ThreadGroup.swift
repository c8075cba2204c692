import CTransport
import Glibc
import Synchronization
import WinchCore

/// Threads that use libraries which `exit` takes down, such as OpenSSL: the process may end once they have ended.
final class ThreadGroup: Sendable {
    private let threads = Mutex<[pthread_t]>([])

    deinit {
        // The last reference may be held by one of the threads.
        for thread in threads.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// - Returns: false when the system gives no thread.
    func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = Threads.startJoinable(run) else { return false }
        threads.withLock { $0.append(thread) }
        return true
    }

    /// Waits until all have ended. Not from one of the threads.
    ///
    /// - Returns: false when one still runs after `span`.
    func join(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        return threads.withLock { threads in
            while let thread = threads.last {
                let left = max(.zero, deadline - SystemClock.moment())
                guard winch_join_thread(thread, Int32(clamping: left.nanoseconds / 1_000_000)) else { return false }
                threads.removeLast()
            }
            return true
        }
    }
}
