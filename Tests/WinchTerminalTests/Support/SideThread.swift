import Glibc
import Synchronization

/// A thread that runs a loop in place of the main thread; a test can send signals to it.
final class SideThread: Sendable {
    private let body: @Sendable () -> Void
    private let hasEnded = Atomic(false)
    private let handle = Mutex<pthread_t?>(nil)

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        // A loop does not hear what is ignored, and `nohup` or a script's `&` may have made the tests ignore it.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] { Glibc.signal(number, SIG_DFL) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let this = Unmanaged<SideThread>.fromOpaque(context).takeRetainedValue()
                this.body()
                this.hasEnded.store(true, ordering: .releasing)
                return nil
            }, context)
        if code == 0 { handle.withLock { $0 = thread } }
    }

    func signal(_ number: Int32) {
        handle.withLock { thread in
            if let thread { pthread_kill(thread, number) }
        }
    }

    /// True if the thread ends within `seconds`.
    func ends(within seconds: Double) -> Bool {
        eventually(within: seconds) { hasEnded.load(ordering: .acquiring) }
    }
}

/// Tests `condition` every two milliseconds. True if it holds within `seconds`.
func eventually(within seconds: Double, _ condition: () -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 500) {
        if condition() { return true }
        usleep(2_000)
    }
    return condition()
}
