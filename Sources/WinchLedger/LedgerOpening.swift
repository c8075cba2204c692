public import WinchCore

/// What a ledger holds when a run opens it.
public struct LedgerOpening: Sendable {
    /// The list that earlier runs left, in queue order, with absolute folders: what is unfinished, paused or failed of all
    /// runs that are over, and what is finished or cancelled of the last of them and of those with work left. A failure of
    /// an earlier queue leaves the list after 30 days. Nothing of a run that still lives is in it.
    /// `ResumePoint.isAfterReboot` is set where it is so.
    public var unfinished: [LedgerEntry] = []
    /// What counted for the last run that has left something, as it was in the end.
    public var options: [Setting] = []
    /// Keys from here on, 2^32 of them, belong to this run and were never used before.
    public var firstKey: LedgerKey
    /// What other living processes have on their lists and not done yet.
    public var heldByOthers: [HeldEntry] = []
    /// What a person should know, e.g. that a damaged ledger was set aside.
    public var warning: String?
}

/// A transfer that another process is at.
public struct HeldEntry: Hashable, Sendable {
    public var key: LedgerKey
    /// Below the folder.
    public var name: String
    /// Absolute.
    public var folder: String
    /// The first mirror, with its login if it has one.
    public var url: TransferURL
    /// From `out=` or `-o`.
    public var outName: TargetPath?
    public var pid: Int32
}
