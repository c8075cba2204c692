import CTerminal
import Glibc

/// Blocks the signals that a front end handles, so that they interrupt nothing: they stay pending until its loop
/// reads them.
package enum SignalMask {
    /// The blocked signals, without those that the parent process has set to be ignored, as `nohup` and a shell's
    /// background job do: if blocked, the kernel would keep them pending although they are ignored.
    static var kept: [Int32] {
        [SIGWINCH, SIGCONT] + [SIGTSTP, SIGTERM, SIGINT, SIGHUP].filter { !winch_signal_is_ignored($0) }
    }

    /// Must be called in the first line of `main`: only threads that start later inherit it.
    package static func close() {
        let kept = kept
        winch_signals_block(kept, kept.count, true)
        // Writing to a closed pipe must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Unblocks the signals, so that they have their default effect. For the time after the front end's loop, while
    /// the engine ends: a second Ctrl-C must not be lost.
    package static func open() {
        let kept = kept
        winch_signals_block(kept, kept.count, false)
    }

    /// Stops the process and all others in its group (`cat urls | winch -i -`) until it is continued.
    ///
    /// Sends SIGTSTP, not SIGSTOP: without job control, where the group could not be continued, the kernel does not
    /// stop it.
    static func stopProcessGroup() {
        kill(0, SIGTSTP)
        winch_signals_block([SIGTSTP], 1, false)
        // The process is stopped here until it receives SIGCONT.
        winch_signals_block([SIGTSTP], 1, true)
    }
}
