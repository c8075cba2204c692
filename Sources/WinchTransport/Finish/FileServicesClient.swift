import WinchModel

/// The transport that gave the file services some work, and to which the results go. Called on the threads of the file
/// services; must not block.
protocol FileServicesClient: AnyObject, Sendable {
    func finished(_ results: [FinishResult])
    /// The disk was asked to keep what the checkpoint covers, and `durable` says with what result.
    func wrote(_ checkpoint: Checkpoint)
    /// How far the hash of a large file is; ten times a second at most for each file.
    func hashed(_ progress: FinishProgress)
    func checked(_ file: ExistingFile, isWanted: Bool)
    /// - Parameter failure: `nil`: the piece has the right hash.
    func checked(_ piece: PieceCheck, failure: TransferFailure?)
}
