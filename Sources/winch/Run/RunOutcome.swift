import Synchronization
import WinchModel
import WinchQueue

/// Passes the result of the run from the engine's task to the main thread.
final class RunOutcome: Sendable {
    private let feed: UpdateFeed
    private let result = Mutex<RunSummary?>(nil)

    /// - Parameter feed: of the queue; it ends when the result is there.
    init(_ feed: UpdateFeed) {
        self.feed = feed
    }

    func settle(_ summary: RunSummary) {
        result.withLock { $0 = summary }
        feed.end()
    }

    /// The result; `nil` until the engine has ended.
    var summary: RunSummary? { result.withLock { $0 } }
}
