@testable import WinchModel
@testable import WinchTransport

/// Hears nothing of its files.
final class NoClient: FileServicesClient {
    func finished(_ results: [FinishResult]) {}
    func wrote(_ checkpoint: Checkpoint) {}
    func hashed(_ progress: FinishProgress) {}
    func checked(_ file: ExistingFile, failure: TransferFailure?) {}
    func checked(_ piece: PieceCheck, failure: TransferFailure?) {}
}
