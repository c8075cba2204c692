import Synchronization
import WinchModel

/// A body that has come completely and is to become a file under its name.
struct FinishJob: Sendable {
    /// It brought the last of the body.
    var connection: ConnectionID
    var client: any FileServicesClient
    var folder: TargetFolder
    /// The name the file is to get in `folder`.
    var targetName: String
    var body: FinishBody
    var size: Int64
    var demands: [ExpectedChecksum] = []
    /// The hashes that were made while it was received; `nil`: none.
    var digest: PartHasher?
    var conflict: NameConflict
    /// Written on the file until it has its name; its address stays for good.
    var attributes: PartAttributes
    var claim: FinishClaim
    /// Its first bytes were in a part that did not say where it comes from: with a wrong hash they may be the wrong ones.
    var isFromUnknownPart = false
    /// When the file was changed at the server, in seconds since 1970; `nil`: it keeps the time of its writing.
    var modified: Int64?

    var id: TransferID { connection.transfer }

    /// Up to here files are finished together, by one call for the whole file system.
    static let smallest = Int64(1 << 20)
    var isSmall: Bool { size <= Self.smallest }

    /// The part that is left if it goes wrong; `nil`: nothing.
    var partName: String? {
        if case .part(let name, _, _) = body { name } else { nil }
    }

    /// The user, a list or a Metalink says what the file hashes to.
    var isDemanded: Bool {
        demands.contains { if case .header = $0.origin { false } else { true } }
    }

    /// Counted in the budget.
    var bytesInMemory: Int { body.content?.count ?? 0 }

    var path: String { folder.path(of: partName ?? targetName) }
}

enum FinishBody: Sendable {
    /// In memory, counted in the budget; there is no file yet.
    case content([UInt8])
    /// In a file without a name; the content is kept, and counted, for the case that it cannot be given one.
    case unnamed(Descriptor, [UInt8])
    /// In a part file; closed (`nil`) when it is small, since thousands must not be open at once.
    case part(String, Descriptor?, TargetFolder.Identity?)

    var content: [UInt8]? {
        switch self {
        case .content(let bytes), .unnamed(_, let bytes): bytes
        case .part: nil
        }
    }
}

struct FinishResult: Sendable {
    enum Ending: Sendable {
        /// The path is below the target folder.
        case done(TransferPhase.Outcome, size: Int64)
        /// - Parameter partName: what is left; `nil`: nothing.
        case failed(TransferFailure, partName: String?)
        /// Cancelled in time; the part is gone.
        case abandoned
        /// The program ends before the hash is ready; the part is left.
        case interrupted(partName: String)
    }

    var connection: ConnectionID
    var ending: Ending
    let isFromUnknownPart: Bool

    var id: TransferID { connection.transfer }

    init(_ job: FinishJob, _ ending: Ending) {
        connection = job.connection
        self.ending = ending
        isFromUnknownPart = job.isFromUnknownPart
    }
}

/// Decides a race: the finisher, about to give the file its name, or a cancellation, whichever takes the claim first.
final class FinishClaim: Sendable {
    private let taken = Atomic<Bool>(false)
    private let interrupted = Atomic<Bool>(false)

    /// The program ends: a hash that is not ready is left to the next run.
    func interrupt() { interrupted.store(true, ordering: .releasing) }

    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// True for the first call; false for every later one.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}

/// How far the hash of a complete body is.
struct FinishProgress: Sendable {
    var connection: ConnectionID
    var hashed: Int64
    var size: Int64
}
