import Glibc
import TestSupport
import Testing

@testable import WinchTerminal

@Suite struct `A front end that hears a signal` {
    /// The steps and the end, by audience: dashboard in the foreground, dashboard in the background, reporter.
    @Test(arguments: [
        (
            SignalEvent.terminate, [[SignalActions.Step.quit], [.quit], [.quit]],
            [LoopEnd?](repeating: .signalled(SIGTERM), count: 3)
        ),
        (.hangUp, [[.quit], [.quit], [.quit]], [.signalled(SIGHUP), .signalled(SIGHUP), .signalled(SIGHUP)]),
        (.interrupt, [[.ask], [.quit], [.quit]], [nil, .signalled(SIGINT), .signalled(SIGINT)]),
        (.suspend, [[.stop], [.stop], [.stop]], [nil, nil, nil]),
        (.continued, [[.resumeAfterStop], [.resumeAfterStop], [.resumeAfterStop]], [nil, nil, nil]),
        (.resized, [[.resize], [], []], [nil, nil, nil]),
    ])
    func `decides what it means`(signal: SignalEvent, steps: [[SignalActions.Step]], ends: [LoopEnd?]) {
        for (index, audience) in SignalActions.Audience.allCases.enumerated() {
            var decisions = SignalActions()
            expectEqual(decisions.hear(signal, audience), steps[index])
            expectEqual(decisions.end, ends[index])
        }
    }

    @Test func `ends for the first reason, and tells the engine once`() {
        var decisions = SignalActions()
        expectEqual(decisions.finish(.settled), [.quit])
        expectEqual(decisions.hear(.terminate, .reporter), [])
        expectEqual(decisions.finish(.outputClosed(EPIPE)), [])
        expectEqual(decisions.end, .settled)
    }

    @Test func `tells the engine nothing when the user leaves at once`() {
        var decisions = SignalActions()
        expectEqual(decisions.finish(.quitAtOnce), [])
        expectEqual(decisions.end, .quitAtOnce)
    }

    @Test func `ends a reporter at once at the second interrupt, whatever came between`() {
        var decisions = SignalActions()
        expectEqual(decisions.hear(.interrupt, .reporter), [.quit])
        expectEqual(decisions.hear(.suspend, .reporter), [.stop])
        expectEqual(decisions.hear(.continued, .reporter), [.resumeAfterStop])
        expectEqual(decisions.hear(.interrupt, .reporter), [])
        expectEqual(decisions.end, .quitAtOnce)
    }

    @Test(arguments: [SignalEvent.suspend, .continued, .interrupt, .resized])
    func `does nothing more once a dashboard has ended`(signal: SignalEvent) {
        var decisions = SignalActions()
        _ = decisions.finish(.left)
        expectEqual(decisions.hear(signal, .dashboard), [])
        expectEqual(decisions.hear(signal, .away), [])
        expectEqual(decisions.end, .left)
    }
}
