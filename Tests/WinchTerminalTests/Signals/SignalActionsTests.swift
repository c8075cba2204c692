import Glibc
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
            #expect(decisions.hear(signal, audience) == steps[index])
            #expect(decisions.end == ends[index])
        }
    }

    @Test func `ends for the first reason, and tells the engine once`() {
        var decisions = SignalActions()
        #expect(decisions.finish(.settled) == [.quit])
        #expect(decisions.hear(.terminate, .reporter) == [])
        #expect(decisions.finish(.outputClosed(EPIPE)) == [])
        #expect(decisions.end == .settled)
    }

    @Test func `tells the engine nothing when the user leaves at once`() {
        var decisions = SignalActions()
        #expect(decisions.finish(.quitAtOnce) == [])
        #expect(decisions.end == .quitAtOnce)
    }

    @Test func `ends a reporter at once at the second interrupt, whatever came between`() {
        var decisions = SignalActions()
        #expect(decisions.hear(.interrupt, .reporter) == [.quit])
        #expect(decisions.hear(.suspend, .reporter) == [.stop])
        #expect(decisions.hear(.continued, .reporter) == [.resumeAfterStop])
        #expect(decisions.hear(.interrupt, .reporter) == [])
        #expect(decisions.end == .quitAtOnce)
    }

    @Test(arguments: [SignalEvent.suspend, .continued, .interrupt, .resized])
    func `does nothing more once a dashboard has ended`(signal: SignalEvent) {
        var decisions = SignalActions()
        _ = decisions.finish(.left)
        #expect(decisions.hear(signal, .dashboard) == [])
        #expect(decisions.hear(signal, .away) == [])
        #expect(decisions.end == .left)
    }
}
