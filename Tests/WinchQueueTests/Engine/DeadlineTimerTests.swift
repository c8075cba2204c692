import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The deadline timer` {
    /// A timer whose ticks can be awaited.
    private struct Listener {
        let heartbeat: DeadlineTimer
        let ticks: AsyncStream<Void>

        init() {
            let (ticks, continuation) = AsyncStream.makeStream(of: Void.self)
            self.ticks = ticks
            heartbeat = DeadlineTimer(now: { Moment(seconds: 100) }, tick: { continuation.yield() })
        }

        func tick() async { for await _ in ticks { return } }
    }

    @Test func `ticks once when the deadline is reached`() async {
        let listener = Listener()
        listener.heartbeat.ensureTick(by: Moment(seconds: 99))
        await listener.tick()
        expectNil(listener.heartbeat.deadline)
    }

    @Test func `keeps the earliest deadline`() async {
        let listener = Listener()
        listener.heartbeat.ensureTick(by: Moment(seconds: 900))
        expectEqual(listener.heartbeat.deadline, Moment(seconds: 900))
        listener.heartbeat.ensureTick(by: Moment(seconds: 990))
        listener.heartbeat.ensureTick(by: nil)
        expectEqual(listener.heartbeat.deadline, Moment(seconds: 900))
        listener.heartbeat.ensureTick(by: Moment(seconds: 100))
        await listener.tick()
        expectNil(listener.heartbeat.deadline)
    }

    @Test func `has no deadline after nil or after a stop`() {
        let listener = Listener()
        listener.heartbeat.ensureTick(by: nil)
        expectNil(listener.heartbeat.deadline)
        listener.heartbeat.ensureTick(by: Moment(seconds: 900))
        listener.heartbeat.stop()
        expectNil(listener.heartbeat.deadline)
    }
}
