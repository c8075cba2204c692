/// What a person asks of the engine. What it did comes back only as the next `Update`.
public enum Command: Sendable, Codable {
    case pause([TransferID])
    case resume([TransferID])
    /// Pauses every unsettled transfer; new ones wait too, until `resumeAll`.
    case pauseAll
    case resumeAll
    case cancel([TransferID])
    /// Starts failed and cancelled transfers again; a waiting retry starts at once.
    case retry([TransferID])
    case retryFailed
    case add([TransferSpec])
    /// Another address for the same file, in place of the one in use: what is kept is gone on with if the file there
    /// proves to be the same. A failed transfer starts again.
    case setURL(TransferID, TransferURL)
    /// Takes settled rows off the list; files stay.
    case remove([TransferID])
    /// Puts what was last removed back where it was, or has what was last cancelled go on; once more for the removal or
    /// cancel before that.
    case restore
    /// Transfers at a time, at least 1.
    case setSlots(Int)
    case setMode(ProgressMode)
    /// Places up (negative) or down in the queue.
    case move(TransferID, by: Int)
    /// Several together: they keep their order among themselves.
    case shift([TransferID], QueueShift)
    /// Over all transfers; `nil` lifts it.
    case setRateLimit(ByteRate?)
    /// The face shows this one closely: its details come with updates; `nil`: none.
    case watch(TransferID?)
    /// Of each of these for itself, within the overall one; `nil` lifts it.
    case setRateLimitEach([TransferID], ByteRate?)
    /// Trusts the key of an SSH server in this run, and starts what failed for want of that.
    case trust(HostKey, remembering: Bool)
    /// Gives the passphrase of a private key's file, and starts what failed for want of it.
    case unlock(keyFile: String, Secret)
    /// The process was stopped and goes on: time has passed without the engine.
    case resumed(at: Moment)
    /// Close all connections in order, keep the parts, end.
    case quit
}
