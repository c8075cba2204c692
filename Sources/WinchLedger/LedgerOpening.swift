public import WinchCore

/// The contents of a ledger when a run opens it.
public struct LedgerOpening: Sendable {
    /// The transfers that ended runs left, in queue order, with absolute folders: unfinished, paused and failed ones of all
    /// these runs; finished and cancelled ones of the last of them, and of those with unfinished transfers. Failed transfers
    /// of earlier runs are dropped after 30 days. Transfers of runs that are alive are not included.
    /// `ResumePoint.isAfterReboot` is set where the machine was rebooted since.
    public var unfinished: [LedgerEntry] = []
    /// The options of the last run that left transfers, as they were at its end.
    public var options: [Setting] = []
    /// The first of 2^32 consecutive keys that belong to this run and were never used before.
    public var firstKey: LedgerKey
    /// The transfers that other processes have not settled yet.
    public var heldByOthers: [HeldEntry] = []
    /// A message for the user, e.g. that a damaged ledger was renamed.
    public var warning: String?
}

/// A transfer that belongs to another process.
public struct HeldEntry: Hashable, Sendable {
    public var key: LedgerKey
    /// Relative to the folder.
    public var name: String
    /// Absolute.
    public var folder: String
    /// The first mirror, with its login if it has one.
    public var url: TransferURL
    /// From `out=` or `-o`.
    public var outName: TargetPath?
    public var pid: Int32
}
