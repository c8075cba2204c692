import WinchModel

/// The result of a finish job.
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
    /// As of the job.
    let isFromUnknownPart: Bool

    var id: TransferID { connection.transfer }

    init(_ job: FinishJob, _ ending: Ending) {
        connection = job.connection
        self.ending = ending
        isFromUnknownPart = job.isFromUnknownPart
    }
}
