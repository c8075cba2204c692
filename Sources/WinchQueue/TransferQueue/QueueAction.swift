package import WinchModel

/// One thing that the queue wants done. The engine does it and asks nothing.
package enum QueueAction: Hashable, Sendable {
    case open(ConnectionRequest)
    case close(ConnectionID, discarding: Bool)
    case bound(ConnectionID, at: Int64)
    case discard(TransferID, ResumePoint?, folder: String, addresses: [TransferURL])
    case proceed(ConnectionID)
    case withdraw(ConnectionRequest)
    case probe(ProbeRequest)
    case stopProbe(TransferID)
    case limit(ConnectionID, ByteRate?)
    /// The answer is a `.space` of the folder.
    case askSpace(folder: String)
    /// The answer is a `.recalled`, if the ledger has anything.
    case recall(TransferID, LedgerKey)
    /// Written into known_hosts as well when it is to be remembered.
    case trust(HostKey, remembering: Bool)
    case unlock(keyFile: String, Secret)
    /// All connections are to be closed and the engine is to end.
    case shutDown
}

/// What reaches the queue.
package enum QueueEvent: Sendable {
    case added([Addition])
    /// Whether more transfers follow: a batch is being read.
    case reading(Bool)
    case command(Command)
    case report(TransportReport)
    /// Free space in a folder; `nil`: it cannot be read.
    case space(folder: String, DiskSpaceReading?)
    /// What the ledger keeps of a transfer's attempts.
    case recalled(TransferID, StoredDetails)
    /// The machine slept for more than `TransferQueue.shortestSleep`, which the monotonic clock does not count.
    case woke
    /// Time has passed: retries, rates, limits.
    case tick
}
