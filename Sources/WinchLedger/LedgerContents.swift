package import WinchBatch
package import WinchModel

/// The contents of a ledger when a run opens it.
package struct LedgerContents: Sendable {
    /// The transfers that ended runs left, in queue order, with absolute folders: unfinished, paused and failed ones of all
    /// these runs; finished and cancelled ones of the last of them, and of those with unfinished transfers. Failed transfers
    /// of earlier runs are dropped after 30 days. Transfers of runs that are alive are not included.
    /// `ResumePoint.isAfterReboot` is set where the machine was rebooted since.
    package var unfinished: [LedgerEntry] = []
    /// What hosts were found to allow, in the last hour.
    package var allowances: [LearnedHostLimit] = []
    /// The options of the last run that left transfers, as they were at its end.
    package var options: [NameValueLine] = []
    /// The first of 2^32 consecutive keys that belong to this run and were never used before.
    package var firstKey: LedgerKey
    /// The transfers that other processes have not settled yet.
    package var heldByOthers: [HeldEntry] = []
    /// A message for the user, e.g. that a damaged ledger was renamed.
    package var warning: String?
}

/// A transfer that belongs to another process.
package struct HeldEntry: Hashable, Sendable {
    package var key: LedgerKey
    /// Relative to the folder.
    package var name: String
    /// Absolute.
    package var folder: String
    /// The first mirror, with its login if it has one.
    package var url: TransferURL
    /// From `out=` or `-o`.
    package var outName: TargetPath?
    /// What is sent; `nil`: it is a download.
    package var upload: UploadOrder?
    package var pid: Int32
}
