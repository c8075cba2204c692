import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The state of a run` {
    private let start = Moment(seconds: 10)

    @Test func `distinguishes a sleep from a wait without connections`() {
        var state = RunState()
        let gaps = [
            state.noteEvent(at: start, isActive: true), state.noteEvent(at: start + .seconds(60), isActive: false),
            state.noteEvent(at: start + .seconds(64), isActive: true),
            state.noteEvent(at: start + .seconds(84), isActive: true),
        ]
        expectEqual(gaps, [nil, nil, nil, .seconds(20)])
    }

    @Test func `counts the working time without pauses and sleeps`() {
        var state = RunState()
        _ = state.noteEvent(at: start, isActive: true)
        state.runClock(count: 1, settled: 0, paused: 0, isActive: true, at: start)
        _ = state.noteEvent(at: start + .seconds(30), isActive: true)
        state.runClock(count: 1, settled: 0, paused: 1, isActive: false, at: start + .seconds(40))
        expectEqual(state.worked(at: start + .seconds(90)), .seconds(10))
        state.runClock(count: 1, settled: 1, paused: 0, isActive: false, at: start + .seconds(95))
        expectEqual(state.endedAt, start + .seconds(95))
    }
}
