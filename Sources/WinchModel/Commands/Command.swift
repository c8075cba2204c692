/// A command of the user to the engine. Its effects are visible in the next `Update`; there is no other reply.
package enum Command: Sendable, Codable {
    case pause([TransferID])
    case resume([TransferID])
    /// Pauses every unsettled transfer; transfers that are added later wait too, until `resumeAll`.
    case pauseAll
    case resumeAll
    case cancel([TransferID])
    /// Starts failed and cancelled transfers again; a transfer that waits for its next attempt starts at once.
    case retry([TransferID])
    case retryFailed
    case add([TransferSpec])
    /// Replaces the URL in use by another one for the same file. The part on disk is resumed if the file at the new URL proves
    /// to be the same. A failed transfer starts again.
    case setURL(TransferID, TransferURL)
    /// Removes settled transfers from the list; their files stay.
    case remove([TransferID])
    /// Undoes the last removal or cancel: removed transfers return to their places, cancelled ones continue. Sent again, it
    /// undoes the one before.
    case restore
    /// Simultaneous transfers, at least 1.
    case setSlots(Int)
    case setMode(ProgressMode)
    /// By so many places towards the start (negative) or the end of the queue.
    case move(TransferID, by: Int)
    /// Moves several transfers, which keep their relative order.
    case shift([TransferID], QueueShift)
    /// The limit over all transfers; `nil` removes it.
    case setRateLimit(ByteRate?)
    /// The limit over all uploads, within the limit over all transfers; `nil` removes it.
    case setUploadLimit(ByteRate?)
    /// Selects the transfer whose `TransferDetails` the updates carry for one subscriber; `nil`: none.
    ///
    /// - Parameter by: which subscriber; several dashboards of a session show different transfers.
    case watch(TransferID?, by: Int = 0)
    /// The limit of each of these transfers, within the limit over all; `nil` removes it.
    case setRateLimitEach([TransferID], ByteRate?)
    /// So many connections more, or fewer (negative), for each of these files, from 1 to 16. A file that is being fetched gets
    /// them at once.
    case changeConnections([TransferID], by: Int)
    /// Trusts the key of an SSH server in this run and starts the transfers again that failed because it was unknown.
    ///
    /// - Parameter remembering: adds the key to known_hosts.
    case trust(HostKey, remembering: Bool)
    /// Gives the passphrase of a private key and starts the transfers again that failed without it.
    case unlock(keyFile: String, Secret)
    /// Tells which part of hosts' connections this queue gets. From the first such command on, hosts that were not named get none.
    case shareHosts([String: HostShare])
    /// The process was suspended (Ctrl-Z) and continues at this time, so the clocks of the transfers are corrected.
    case resumed(at: Moment)
    /// Closes all connections, keeps the part files and ends the engine.
    case quit
}

extension Command {
    /// More connections than this make nothing faster and use up the open files.
    package static let mostSlots = 256
}
