import Synchronization

/// Which came first: the finisher, about to give the file its name, or the user's wish to have it removed.
final class FinishClaim: Sendable {
    private let taken = Atomic<Bool>(false)
    private let interrupted = Atomic<Bool>(false)

    /// The program ends: a hash that is not ready is left to the next run.
    func interrupt() { interrupted.store(true, ordering: .releasing) }

    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    /// One of them was.
    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// True for the first who asks, once.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}
