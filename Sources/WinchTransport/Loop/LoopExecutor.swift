import CTransport
import Dispatch
import Glibc
import Synchronization

/// The thread of the connections: an executor that waits in `curl_multi_poll` and takes one turn when a socket is ready,
/// a time is over, or `wake` was called.
///
/// Actors on it may be entered from libcurl's callbacks with `assumeIsolated`: they run on the same thread.
final class LoopExecutor: SerialExecutor {
    /// How long the loop may wait between two turns, in milliseconds. `wake` ends the wait.
    struct Pause {
        /// The longest wait. A socket that is ready ends it.
        var longest: Int32
        /// At the beginning of the wait sockets do not end it for so long.
        var gathering: Int32 = 0
    }

    private struct Calls {
        var jobs: [UnownedJob] = []
        /// `wake` was called since the last turn began.
        var isCalled = false
        /// The thread is in the poll, or on its way there.
        var isParked = false
        /// The thread waits without regard to sockets: `rested` ends that.
        var isResting = false
        var isEnding = false
        var isRunning = false
        /// The last work of the loop's thread.
        var last: (@Sendable () -> Void)?
    }

    private let calls = Mutex(Calls())
    private let rested = DispatchSemaphore(value: 0)
    /// Threads that are about to wake libcurl: it is closed when there is none.
    private let wakers = Atomic<Int>(0)
    /// `pthread_self` of the loop; 0 until it runs.
    private let thread = Atomic<UInt>(0)
    /// Guard: used on the loop's thread only, but for the wakeup, which libcurl allows from anywhere; `wakers` counts the
    /// threads that do it, from under the lock of `calls` on.
    nonisolated(unsafe) private let multi: OpaquePointer
    /// Guard: as above.
    nonisolated(unsafe) let share: OpaquePointer?
    /// Guard: as above.
    nonisolated(unsafe) let tlsCloseNotices = TLSCloseNotices()
    /// Guard: as above.
    nonisolated(unsafe) let sockets = OpenSockets()
    /// A transfer was told to wait since `perform` was called. Guard: as above.
    nonisolated(unsafe) var hasHeld = false

    /// libcurl is initialised once, however many loops there are.
    private static let hasLibcurl = winch_curl_start() == 0

    /// `nil` when libcurl finds no memory.
    init?() {
        guard Self.hasLibcurl, let multi = winch_multi_new(ThreadChoice.mostKept) else { return nil }
        self.multi = multi
        share = winch_share_new()
    }

    /// Begins the loop on a thread of its own.
    ///
    /// - Parameter turn: does what is due and says how long to wait.
    func run(in threads: ThreadGroup, turn: @escaping @Sendable () -> Pause) -> Bool {
        calls.withLock { $0.isRunning = true }
        let isStarted = threads.start {
            winch_thread_use_utf8()
            self.thread.store(UInt(pthread_self()), ordering: .releasing)
            while true {
                self.runJobs()
                guard !self.calls.withLock({ $0.isEnding }) else { break }
                let pause = turn()
                if self.rest(pause.gathering), self.park() {
                    winch_multi_poll(self.multi, pause.longest - pause.gathering)
                    self.calls.withLock { $0.isParked = false }
                }
            }
            self.end()
        }
        if !isStarted { calls.withLock { $0.isRunning = false } }
        return isStarted
    }

    func wake() {
        let (isParked, isResting) = calls.withLock { calls in
            calls.isCalled = true
            let isResting = calls.isResting
            calls.isResting = false
            guard calls.isParked, calls.isRunning else { return (false, isResting) }
            calls.isParked = false
            wakers.add(1, ordering: .acquiring)
            return (true, false)
        }
        if isResting { rested.signal() }
        guard isParked else { return }
        // Not under the lock, which the loop wants as soon as it is awake.
        winch_multi_wakeup(multi)
        wakers.subtract(1, ordering: .releasing)
    }

    /// Ends the loop before its next turn. From any thread.
    ///
    /// - Parameter last: done on the loop's thread before libcurl is closed there; at once when there is no loop any more.
    func stop(last: (@Sendable () -> Void)? = nil) {
        let isLeft = calls.withLock { calls in
            calls.isEnding = true
            guard let last, calls.isRunning else { return last != nil }
            calls.last = last
            return false
        }
        if isLeft { last?() }
        wake()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        calls.withLock { $0.jobs.append(job) }
        wake()
    }

    func checkIsolated() {
        precondition(isOnLoop, "not on the connections' thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private var isOnLoop: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }

    private func runJobs() {
        let jobs = calls.withLock { calls in
            calls.isCalled = false
            defer { calls.jobs.removeAll() }
            return calls.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Waits without regard to sockets.
    ///
    /// - Returns: false when `wake` was called meanwhile.
    private func rest(_ milliseconds: Int32) -> Bool {
        guard milliseconds > 0 else { return true }
        let isResting = calls.withLock { calls in
            calls.isResting = !calls.isCalled && calls.jobs.isEmpty
            return calls.isResting
        }
        guard isResting else { return false }
        let isSignalled = rested.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success
        let isCalled = calls.withLock { calls in
            defer { calls.isResting = false }
            return !calls.isResting
        }
        // The signal that follows a call at the last moment must not end the next wait.
        if isCalled, !isSignalled { rested.wait() }
        return !isCalled
    }

    /// False when `wake` was called meanwhile: then another turn is due at once.
    private func park() -> Bool {
        calls.withLock { calls in
            calls.isParked = !calls.isCalled && calls.jobs.isEmpty
            return calls.isParked
        }
    }

    private func end() {
        calls.withLock { $0.last.take() }?()
        // The loop does not wait any more, so no other thread joins them.
        while wakers.load(ordering: .acquiring) > 0 { sched_yield() }
        winch_multi_free(multi)
        if let share { winch_share_free(share) }
        let late = calls.withLock { calls in
            calls.isRunning = false
            return calls.last.take()
        }
        late?()
    }
}

/// On the loop's thread only.
extension LoopExecutor {
    func add(_ easy: EasyHandle) -> Bool { winch_multi_add(multi, easy.raw) == 0 }

    func remove(_ easy: EasyHandle) {
        winch_multi_remove(multi, easy.raw)
        easy.leaveSocket()
    }

    func perform() {
        tlsCloseNotices.forget()
        hasHeld = false
        winch_multi_perform(multi)
    }

    func nextEnded() -> (EasyHandle, CurlCode)? {
        var context: UnsafeMutableRawPointer?
        var code: Int32 = 0
        guard winch_multi_next(multi, &context, &code), let context else { return nil }
        return (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), CurlCode(rawValue: code))
    }
}
