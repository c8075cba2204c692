import Synchronization

/// Decides a race: the finisher, about to give the file its name, or a cancellation, whichever takes the claim first.
final class FinishClaim: Sendable {
    private let taken = Atomic<Bool>(false)
    private let interrupted = Atomic<Bool>(false)

    /// The program ends: a hash that is not ready is left to the next run.
    func interrupt() { interrupted.store(true, ordering: .releasing) }

    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    /// The claim was taken by either.
    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// True for the first call; false for every later one.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}
