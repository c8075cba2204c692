/// Why the ledger cannot be used. Downloads do not need it: the caller reports the failure and goes on without a ledger.
package enum LedgerFailure: Error, Hashable, Sendable {
    /// The state folder cannot be made.
    case folder(String, reason: String)
    /// The file cannot be opened, read or written.
    case unusable(String, reason: String)
    /// Written by a later version of Winch; left as it is.
    case newer(String)
    /// Another process has held its lock for seconds.
    case busy(String)
    /// Damaged, and in use by other processes, so that it cannot be renamed.
    case damagedInUse(String)
    /// Damaged; found by a caller that only reads.
    case damaged(String)
    /// A batch of changes could not be written; it is kept in memory and written later.
    case notWritten(String, reason: String)

    /// One line for the user.
    package var message: String {
        switch self {
        case .folder(let path, let reason): "cannot create the state folder \(path): \(reason)"
        case .unusable(let path, let reason): "the ledger \(path) cannot be used: \(reason)"
        case .newer(let path): "the ledger \(path) was written by a newer Winch; it is left untouched"
        case .busy(let path): "the ledger \(path) is locked by another process"
        case .damagedInUse(let path): "the ledger \(path) is damaged, and another winch still uses it"
        case .damaged(let path): "the ledger \(path) is damaged; the next run of winch renames it and creates a new one"
        case .notWritten(let path, let reason):
            "the ledger \(path) cannot be written: \(reason); the queue is kept in memory until it can"
        }
    }
}
