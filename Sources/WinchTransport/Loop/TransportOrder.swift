import WinchModel

/// What the loop is asked to do, from any thread.
enum TransportOrder: Sendable {
    case open(ConnectionRequest)
    case proceed(ConnectionID)
    case withdraw(ConnectionRequest)
    /// The source of an upload has bytes.
    case readable(ConnectionID)
    case close(ConnectionID, discarding: Bool)
    case bound(ConnectionID, Int64)
    case discard(TransferID, ResumePoint?, folder: String, addresses: [TransferURL])
    case probe(ProbeRequest)
    case stopProbe(TransferID)
    case limit(ConnectionID, ByteRate?)
    case finished([FinishResult])
    case checked(ExistingFile, isWanted: Bool)
    case checkedPiece(PieceCheck, TransferFailure?)
    case wrote(Checkpoint)
    case verified(FinishProgress)
    /// The Metalink of a file that is open is to be fetched.
    case describe(TransferID)
    case looked(host: String, NameLookup.Answer)
    case trust(HostKey, remembering: Bool)
    case closeKept(server: String)
    case unlock(keyFile: String, Secret)
    // Indirect, because the layout of a continuation is not known when Winch is compiled: all orders would be copied by tables.
    indirect case shutDown(CheckedContinuation<Void, Never>)
}
