import Synchronization
import WinchCore
import WinchTerminal

/// Where the engine's task leaves how the run ended, for the main thread.
final class RunOutcome: Sendable {
    let completion: Completion
    private let result = Mutex<RunSummary?>(nil)

    init(_ completion: Completion) {
        self.completion = completion
    }

    func settle(_ summary: RunSummary) {
        result.withLock { $0 = summary }
        completion.finish()
    }

    /// `nil` before the completion.
    var summary: RunSummary? { result.withLock { $0 } }
}
