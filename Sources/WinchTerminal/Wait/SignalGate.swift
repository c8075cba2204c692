import CTerminal
import Glibc

/// Keeps the signals that a face handles from interrupting anything: they wait until its loop reads them.
public enum SignalGate {
    /// Without those that whoever started us has switched off: `nohup`, a shell's background job. The kernel would keep
    /// them for us all the same.
    static var kept: [Int32] {
        [SIGWINCH, SIGCONT] + [SIGTSTP, SIGTERM, SIGINT, SIGHUP].filter { !winch_signal_is_ignored($0) }
    }

    /// To be called at the first line of `main`: only threads that start later inherit it.
    public static func close() {
        let kept = kept
        winch_signals_block(kept, kept.count, true)
        // A reader that went away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Signals do again what they always do. For the time after the face is gone, while the engine ends: a second
    /// Ctrl-C must not be lost.
    public static func open() {
        let kept = kept
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
