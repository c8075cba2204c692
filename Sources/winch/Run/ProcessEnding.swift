import Glibc
import Synchronization
import WinchKit
import WinchQueue

/// Ends the process. `exit` frees data of OpenSSL and libssh2, so the threads with connections must have ended before it;
/// otherwise they may crash at the end of a successful run.
final class ProcessEnding: Sendable {
    /// 3 s: how long servers may take to answer the closing of a connection. With a longer wait for a dead server winch would
    /// seem to hang.
    static let timeLimit = Duration.seconds(3)

    private let engineHost = Mutex<EngineHost?>(nil)
    private let start = Mutex(false)
    private let hurry = Mutex(false)

    /// The user has quit without waiting (Ctrl-C twice): threads are not waited for.
    ///
    /// - Returns: the exit code.
    func quitAtOnce() -> Int32 {
        hurry.withLock { $0 = true }
        return RunSummary.unfinishedCode
    }

    /// - Parameter engineHost: the engine whose threads must have ended before the process.
    func expect(_ engineHost: EngineHost) { self.engineHost.withLock { $0 = engineHost } }

    /// - Parameter isStarting: a thread opens the ledger or starts the engine.
    func expect(isStarting: Bool) { start.withLock { $0 = isStarting } }

    /// Waits for the threads.
    ///
    /// - Returns: false when a thread still runs.
    func settle() -> Bool {
        guard !start.withLock({ $0 }) else { return false }
        guard let engineHost = engineHost.withLock({ $0 }) else { return true }
        return engineHost.end(within: hurry.withLock { $0 } ? .zero : Self.timeLimit)
    }

    /// Ends the process: by `exit` when all threads have ended, else by flushing the output and `_exit`.
    func leave(_ code: Int32) -> Never {
        if settle() { exit(code) }
        fflush(nil)
        _exit(code)
    }
}
