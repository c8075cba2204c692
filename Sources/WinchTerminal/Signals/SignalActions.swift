import Glibc

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

    /// What the loop must do, in order.
    enum Step: Hashable {
        /// Tell the engine to quit.
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
