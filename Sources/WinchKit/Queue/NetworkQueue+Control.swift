public import WinchModel
import WinchQueue

extension NetworkQueue {
    /// Starts a held queue. The same as ``resume()``.
    public func go() { inbox.send(.resumeAll) }

    /// Pauses every transfer that is not settled. Transfers that are added later wait too, until ``resume()``.
    public func pause() { inbox.send(.pauseAll) }

    /// Resumes all paused transfers, including those that were added with `startsPaused`.
    public func resume() { inbox.send(.resumeAll) }

    /// Cancels every transfer that is not settled, and removes its part file.
    public func cancel() { inbox.send(.cancel(hub.unsettled)) }

    /// Starts all failed transfers again, but not cancelled ones; see ``Transfer/retry()``.
    public func retryFailed() {
        hub.retry(nil) { inbox.send(.retryFailed) }
    }

    /// Sets the number of simultaneous transfers. Active transfers continue when it is lowered.
    ///
    /// - Parameter slots: clamped to 1...256.
    public func setSlots(_ slots: Int) { inbox.send(.setSlots(slots)) }

    /// Sets what the queue's progress counts from now on.
    public func setMode(_ mode: ProgressMode) { inbox.send(.setMode(mode)) }

    /// Sets the rate limit over all transfers.
    ///
    /// - Parameter limit: `nil` removes it.
    public func setRateLimit(_ limit: ByteRate?) { inbox.send(.setRateLimit(limit)) }

    /// Sets the rate limit over all uploads, within the limit over all transfers.
    ///
    /// - Parameter limit: `nil` removes it.
    public func setUploadLimit(_ limit: ByteRate?) { inbox.send(.setUploadLimit(limit)) }
}
