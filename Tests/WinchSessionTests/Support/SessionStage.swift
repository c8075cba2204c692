import Glibc
import Synchronization
import Testing
import WinchModel

@testable import WinchSession

/// What a session is asked to do, recorded instead of done.
final class SessionRecord: Sendable {
    private let commands = Mutex<[Command]>([])
    private let stops = Mutex(0)
    private let time = Mutex(Moment(seconds: 0))

    var sent: [Command] { commands.withLock { $0 } }
    var stopped: Int { stops.withLock { $0 } }

    func wait(_ span: Duration) { time.withLock { $0 = $0 + span } }

    var actions: SessionActions {
        SessionActions(
            send: { command in self.commands.withLock { $0.append(command) } }, add: { $1($0.count) },
            parseBatch: { _, _ in SessionActions.Batch([], problems: []) }, callWhenStored: { $0() },
            takeOver: { 0 }, stop: { self.stops.withLock { $0 += 1 } }, now: { self.time.withLock { $0 } })
    }
}

extension Greeting {
    static let sample = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
}
