public import WinchCore
import WinchEngine

extension NetworkQueue {
    /// Starts a held queue. The same as ``resume()``.
    public func go() { inbox.send(.resumeAll) }

    /// Pauses every transfer that is not settled; what is added later waits too, until ``resume()``.
    public func pause() { inbox.send(.pauseAll) }

    /// Lets everything that is paused go on, those too that were added with `startsPaused`.
    public func resume() { inbox.send(.resumeAll) }

    /// Cancels every transfer that is not settled, and removes its part.
    public func cancel() { inbox.send(.cancel(hub.unsettled)) }

    /// Starts everything anew that failed. Cancelled transfers stay as they are: see ``Transfer/retry()``.
    public func retryFailed() {
        hub.retry(nil) { inbox.send(.retryFailed) }
    }

    /// - Parameter slots: transfers at a time, held inside 1...256. Those that move go on.
    public func setSlots(_ slots: Int) { inbox.send(.setSlots(slots)) }

    /// How the queue's progress counts from now on.
    public func setMode(_ mode: ProgressMode) { inbox.send(.setMode(mode)) }

    /// - Parameter limit: bytes a second over all transfers; `nil` lifts it.
    public func setRateLimit(_ limit: ByteRate?) { inbox.send(.setRateLimit(limit)) }
}
