import Dispatch
import WinchKit
import WinchModel
import WinchTerminal

extension Wiring {
    func hookRunner(_ log: RunLogFiles, _ clock: MonotonicClock, _ start: RunStart) -> HookRunner {
        // What a session in the background writes to standard error is in its log.
        let isLogged = command.session.isInBackground
        let options = command.hook
        return HookRunner(onSettled: options.onSettled?.command, home: .current(), limit: options.timeLimit) { words in
            if !isLogged { ErrorOutput.report(words) }
            log.report(words, .warning, at: clock.now())
            start.notice(words)
        }
    }

    /// Ends the hooks with the run.
    ///
    /// - Parameter waits: everything is done but the hooks. Otherwise the user has left: those that run go on, the rest is not
    ///   run.
    func finish(_ hooks: HookRunner, waits: Bool, _ log: RunLogFiles, _ clock: MonotonicClock) {
        guard waits else {
            let dropped = hooks.close()
            guard dropped > 0 else { return }
            let words = "\(dropped) commands of --on-done, --on-fail and --on-settled were not run"
            if !command.session.isInBackground { ErrorOutput.report(words) }
            return log.report(words, .warning, at: clock.now())
        }
        guard !hooks.wait(until: .now() + .seconds(1)) else { return }
        ErrorOutput.report(
            "waiting for \(hooks.count) commands of --on-done, --on-fail and --on-settled; Ctrl-C leaves")
        SignalMask.open()
        _ = hooks.wait()
    }
}
