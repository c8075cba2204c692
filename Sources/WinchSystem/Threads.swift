package import Glibc

/// Threads for calls that may block.
package enum Threads {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that no signal reaches: a lost connection or a file that is too large is an error code
    /// then, never the end of the process, and the terminal's signals go to the terminal.
    ///
    /// - Returns: false when the system gives no thread.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = startJoinable(run) else { return false }
        pthread_detach(thread)
        return true
    }

    /// The same, for a thread that must have ended before the process does. To be joined or detached.
    package static func startJoinable(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
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
