import WinchModel
import WinchQueue

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

    /// How long a cancel can be undone: long enough to notice a mistake and press a key, and not longer, because the part file
    /// occupies disk space until then.
    private static let undoSpan = Duration.seconds(10)

    /// - Parameters:
    ///   - isWatched: a user sees the queue and can free disk space.
    ///   - seed: the seed for the random waits before retries.
    func queueSettings(isWatched: Bool, seed: UInt64) -> QueueSettings {
        var settings = QueueSettings()
        queue.apply(to: &settings, isWatched: isWatched)
        settings.slots = min(settings.slots, DescriptorLimit.transfers())
        // A quiet run shows no progress bar, so the sizes of waiting files are not requested ahead of time.
        if frontEnd.output == .quiet { settings.mode = .simple }
        settings.undoSpan = Self.undoSpan
        settings.seed = seed
        return settings
    }
}
