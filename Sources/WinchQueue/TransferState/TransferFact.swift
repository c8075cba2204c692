import WinchModel
import WinchProgress

/// A fact about a transfer on which no sum, count, set or bar depends: it needs no `change` and causes no event.
enum TransferFact {
    /// These bytes of the part survive a power loss.
    case durable(ByteRanges)
    /// So many bytes came over the network.
    case arrived(ByteCount)
    /// The process or the machine slept: the transfer did not use that time.
    case slept(Duration)
    /// Its meter left out the time before the moment.
    case meterRestarted(Moment)
    /// The transport was told this limit of the connection.
    case limited(ConnectionID, ByteRate?)
    /// It is large enough for several connections.
    /// - Parameter allowance: connections that the host was found to allow for one file.
    case mayBeSplit(allowance: Int?, at: Moment)
    case settings(Shared<TransferSettings>)
    /// The file system of its folder, in `DiskSpace`.
    case disk(Int)
    /// The ledger's entry for it.
    case key(LedgerKey)
    /// What has happened by now and has no date yet happened now; `firstAttempt`: when its first attempt in this run began.
    case dated(UnixTime, firstAttempt: UnixTime?)
}

extension TransferState {
    mutating func take(_ fact: TransferFact) {
        switch fact {
        case .durable(let ranges): resume?.durable = ranges
        case .arrived(let count): record.received += count
        case .slept(let gap): history.timeSpent -= gap
        case .meterRestarted(let now):
            estimator?.pause()
            estimator?.resume(at: now)
        case .limited(let id, let limit): connections.change(id) { $0.limit = limit }
        case .mayBeSplit(let allowance, let now):
            splitting = splitting ?? Splitting(isSigned: url.isSigned, allowance: allowance, at: now)
        case .settings(let settings): spec.settings = settings
        case .disk(let disk): history.disk = disk
        case .key(let key): record.key = key
        case .dated(let now, let firstAttempt):
            record.addedAt = record.addedAt ?? now
            if attempts > 0 { record.startedAt = record.startedAt ?? firstAttempt ?? now }
            record.settledAt = isSettled ? record.settledAt ?? now : nil
        }
    }
}
