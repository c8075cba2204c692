import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

/// What a session is asked to do, recorded instead of done.
final class SessionRecord: Sendable {
    let queue = RecordingQueue()
    private let time = Mutex(Moment(seconds: 0))

    func wait(_ span: Duration) { time.withLock { $0 = $0 + span } }

    var actions: SessionActions {
        SessionActions(
            queue, parseBatch: { _, _ in SessionActions.Batch([], problems: []) }, takeOver: { 0 },
            now: { self.time.withLock { $0 } })
    }
}

extension Greeting {
    static let sample = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
}
