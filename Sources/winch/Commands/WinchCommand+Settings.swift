import WinchModel
import WinchQueue
import WinchScreen

extension WinchCommand {
    /// The settings of a transfer whose batch entry does not change them.
    var transferSettings: TransferSettings {
        var settings = TransferSettings()
        target.apply(to: &settings)
        queue.apply(to: &settings)
        transfer.apply(to: &settings)
        hook.apply(to: &settings)
        return settings
    }

    /// - Parameters:
    ///   - isWatched: a user sees the queue and can free disk space.
    ///   - seed: the seed for the random waits before retries.
    func queueSettings(isWatched: Bool, seed: UInt64) -> QueueSettings {
        var settings = QueueSettings()
        queue.apply(to: &settings, isWatched: isWatched)
        settings.slots = min(settings.slots, DescriptorLimit.transfers())
        // A quiet run shows no progress bar, so the sizes of waiting files are not requested ahead of time.
        if frontEnd.output == .quiet { settings.mode = .simple }
        settings.undoSpan = Dashboard.undoSpan
        settings.seed = seed
        return settings
    }
}
