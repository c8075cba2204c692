import Synchronization
import WinchQueue
import WinchTerminal

/// Passes the result of the run from the engine's task to the main thread.
final class RunOutcome: Sendable {
    let completion: EngineEnd
    private let result = Mutex<RunSummary?>(nil)

    init(_ completion: EngineEnd) {
        self.completion = completion
    }

    func settle(_ summary: RunSummary) {
        result.withLock { $0 = summary }
        completion.finish()
    }

    /// The result; `nil` until the engine has ended.
    var summary: RunSummary? { result.withLock { $0 } }
}
