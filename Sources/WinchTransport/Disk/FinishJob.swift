import Synchronization
import WinchCore

/// A body that has come completely and is to become a file under its name.
struct FinishJob: Sendable {
    var id: TransferID
    var stamp: Stamp
    var folder: TargetFolder
    var partName: String
    /// The name the file is to get in `folder`.
    var targetName: String
    /// `nil` when the part was closed already: thousands of small files must not be open at once.
    var file: Descriptor?
    var size: Int64
    var isMarked: Bool
    var checksum: Checksum?
    var conflict: NameConflict
    var claim: FinishClaim

    /// Up to here files are finished together, by one call for the whole file system.
    static let smallest = Int64(1 << 20)
    var isSmall: Bool { size <= Self.smallest }
}

/// Who was first: the finisher, about to give the file its name, or a person who wants it gone.
final class FinishClaim: Sendable {
    private let taken = Atomic<Bool>(false)

    /// True for the first who asks, once.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}

/// What became of a finish job.
struct FinishResult: Sendable {
    enum Ending: Sendable {
        /// The path is below the target folder.
        case done(RowPhase.Outcome, size: Int64)
        case failed(TransferFailure)
        /// Cancelled in time; the part is gone.
        case abandoned
    }

    var id: TransferID
    var stamp: Stamp
    var ending: Ending
}
