import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

/// What a session is asked to do, recorded instead of done.
final class SessionRecord: Sendable {
    let queue: RecordingQueue
    /// Why it does not start uploads.
    private let refused: [String]
    private let time = Mutex(Moment(seconds: 0))

    /// - Parameter reply: to entries; `nil`: all are new.
    init(refused: [String] = [], reply: AdditionReply? = nil) {
        self.refused = refused
        queue = RecordingQueue(reply: reply)
    }

    func wait(_ span: Duration) { time.withLock { $0 = $0 + span } }

    var actions: SessionActions {
        SessionActions(
            queue, parseBatch: { _, _ in SessionActions.Batch([], problems: []) },
            retry: { [queue, refused] ids, reply in
                queue.send(.retry(ids))
                reply(refused)
            }, takeOver: { [refused] reply in reply(1, refused) }, now: { self.time.withLock { $0 } })
    }
}

extension Greeting {
    static let sample = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
}
