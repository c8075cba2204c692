import WinchBatch
import WinchModel

/// Stores the run's options again when one of them was changed while the run is in progress.
final class RunOptionsKeeper: UpdateSubscriber {
    private let options: StoredRunOptions
    private let keep: @Sendable ([NameValueLine]) -> Void

    /// - Parameter keep: stores all options; called on the engine's thread, must not block.
    init(_ options: StoredRunOptions, keep: @escaping @Sendable ([NameValueLine]) -> Void) {
        self.options = options
        self.keep = keep
    }

    func post(_ update: Update) {
        if let changed = options.changed(by: update.totals) { keep(changed) }
    }
}
