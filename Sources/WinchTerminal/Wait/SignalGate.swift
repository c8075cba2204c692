import CTerminal
import Glibc

/// Keeps the signals that a face handles from interrupting anything: they wait until its loop reads them.
public enum SignalGate {
    static let kept = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP]

    /// To be called at the first line of `main`: only threads that start later inherit it.
    public static func close() {
        winch_signals_block(kept, kept.count, true)
        // A reader that went away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Signals do again what they always do. For the time after the face is gone, while the engine ends: a second
    /// Ctrl-C must not be lost.
    public static func open() {
        winch_signals_block(kept, kept.count, false)
    }

    /// Stops the process and all that run in its group (`cat urls | winch -i -`) until somebody continues it.
    ///
    /// With SIGTSTP, not SIGSTOP: where nobody could continue it (no job control), the kernel does not stop it.
    static func stopProcessGroup() {
        kill(0, SIGTSTP)
        winch_signals_block([SIGTSTP], 1, false)
        // Here time passes.
        winch_signals_block([SIGTSTP], 1, true)
    }
}
