import CTerminal
package import Glibc

enum SignalEvent: Hashable, Sendable {
    case resized, suspend, continued, interrupt
    /// SIGTERM.
    case terminate
    /// SIGHUP: the terminal is gone.
    case hangUp

    init?(_ number: Int32) {
        switch number {
        case SIGWINCH: self = .resized
        case SIGTSTP: self = .suspend
        case SIGCONT: self = .continued
        case SIGINT: self = .interrupt
        case SIGTERM: self = .terminate
        case SIGHUP: self = .hangUp
        default: return nil
        }
    }
}

final class SignalReader {
    /// Readable while a signal is pending.
    let descriptor: Int32

    init() {
        let kept = SignalMask.kept
        descriptor = winch_signals_open(kept, kept.count)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// All pending signals, in the order of the kernel.
    func take() -> [SignalEvent] {
        var events: [SignalEvent] = []
        while case let number = winch_signals_next(descriptor), number > 0 {
            if let known = SignalEvent(number) { events.append(known) }
        }
        return events
    }
}

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

    /// A signal that ends the run has come, and no front end has read it yet. It stays pending.
    package static var isEndPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return kept.contains { [SIGINT, SIGTERM, SIGHUP].contains($0) && sigismember(&pending, $0) == 1 }
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

/// Signals as they are in a program that a shell starts in the foreground.
package enum OrdinarySignals {
    /// Undoes what the parent process has passed on, but for what a user means by it: signals that `nohup` and a background job
    /// ignore stay ignored. Must be called at the start of `main`.
    package static func restore() {
        // While it is ignored, the kernel forgets children that end, and `waitpid` finds none.
        signal(SIGCHLD, SIG_DFL)
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // A reader that goes away, and a file beyond `ulimit -f`, are errors of the write, and not the end of the program without a
        // word.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// For a program that is started: none is ignored or blocked, whatever this process has inherited or set.
    ///
    /// - Returns: the flags to set, with others.
    package static func give(to attributes: inout posix_spawnattr_t) -> Int16 {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    }
}

/// What every front end decides in the same way: what a signal means, and which reason ends its loop. Pure: it returns steps, and
/// the loop carries them out.
struct SignalActions {
    /// Who can answer an interrupt.
    enum Audience: Hashable, CaseIterable {
        /// A dashboard is in the foreground and asks the user.
        case dashboard
        /// The dashboard waits in the background: another job has the terminal.
        case away
        /// A reporter, which never asks.
        case reporter
    }

    enum Step: Hashable {
        case quit
        /// Tell the dashboard of the interrupt.
        case ask
        /// Adapt to the new size of the terminal.
        case resize
        /// Give the terminal back and stop the process until it is continued.
        case stop
        /// The process continues: tell the engine, and take the terminal again.
        case resumeAfterStop
    }

    /// Why the loop ends; `nil` while it goes on. A reporter ends only when the engine has ended, unless this is `quitAtOnce`.
    private(set) var end: LoopEnd?
    private var wasInterrupted = false

    mutating func hear(_ signal: SignalEvent, _ audience: Audience) -> [Step] {
        // The loop of a dashboard returns; that of a reporter still waits for the engine.
        if end != nil, audience != .reporter { return [] }
        switch signal {
        case .interrupt: return interrupt(audience)
        case .terminate: return finish(.signalled(SIGTERM))
        case .hangUp: return finish(.signalled(SIGHUP))
        case .suspend: return [.stop]
        case .continued: return [.resumeAfterStop]
        case .resized: return audience == .dashboard ? [.resize] : []
        }
    }

    private mutating func interrupt(_ audience: Audience) -> [Step] {
        switch audience {
        case .dashboard: return [.ask]
        case .away: return finish(.signalled(SIGINT))
        case .reporter:
            defer { wasInterrupted = true }
            guard wasInterrupted else { return finish(.signalled(SIGINT)) }
            // The user does not want to wait for the connections to be closed.
            end = .quitAtOnce
            return []
        }
    }

    /// Ends the loop; only the first reason counts.
    mutating func finish(_ reason: LoopEnd) -> [Step] {
        guard end == nil else { return [] }
        end = reason
        return reason == .quitAtOnce ? [] : [.quit]
    }
}

/// How the loop of a front end (dashboard, speech or reporter) ended.
package enum LoopEnd: Hashable, Sendable {
    /// The user left in order; the engine has been told to quit.
    case left
    /// The run is to be handed over to a session; the engine has been told to quit.
    case handedOver
    /// The session that the dashboard is attached to is to be ended.
    case stoppedSession
    /// The user left at once: the process ends without waiting for anything.
    case quitAtOnce
    /// All transfers are settled and the front end has nothing more to do.
    case settled
    /// SIGINT, SIGTERM or SIGHUP (also: the terminal is gone); the engine has been told to quit.
    case signalled(Int32)
    /// Writing to standard output failed with this error number (EPIPE: the reader has closed it); the engine has
    /// been told to quit.
    case outputClosed(Int32)
}
