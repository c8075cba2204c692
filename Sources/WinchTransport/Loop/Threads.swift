import CTransport
import Glibc
import Synchronization
import WinchModel

/// Threads for calls that may block.
enum Threads {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that no signal reaches: a lost connection or a file that is too large is an error code
    /// then, never the end of the process, and the terminal's signals go to the terminal.
    ///
    /// - Returns: false when the system gives no thread.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = startJoinable(run) else { return false }
        pthread_detach(thread)
        return true
    }

    /// The same, for a thread that must have ended before the process does. To be joined or detached.
    static func startJoinable(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        let body = Unmanaged.passRetained(Body(run))
        var every = sigset_t()
        var before = sigset_t()
        sigfillset(&every)
        pthread_sigmask(SIG_BLOCK, &every, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return nil
        }
        return thread
    }
}

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
