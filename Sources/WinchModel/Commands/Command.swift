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
    /// Lists these folders, which failed because they are no files, and downloads what is in them.
    case list([TransferID])
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
    case trust(SSHHostKey, remembering: Bool)
    /// Gives the passphrase of a private key and starts the transfers again that failed without it.
    case unlock(keyFile: String, Secret)
    /// Gives a user name and its password for a server and starts the transfers again that failed without them.
    ///
    /// - Parameter origin: the server, as in `TransferURL.origin`; no other one gets them.
    case logIn(origin: String, user: String, Secret)
    /// Tells which part of hosts' connections this queue gets. From the first such command on, hosts that were not named get none.
    case shareHosts([String: HostShare])
    /// The process was suspended (Ctrl-Z) and continues at this time, so the clocks of the transfers are corrected.
    case resumed(at: Moment)
    /// Closes all connections, keeps the part files and ends the engine.
    case quit
}

extension Command {
    /// The passphrase or password in it, which its encoding leaves out; `nil`: it has none.
    package var secret: Secret? {
        switch self {
        case .unlock(_, let secret), .logIn(_, _, let secret): secret
        default: nil
        }
    }

    /// The same command with another passphrase or password.
    package func with(_ secret: Secret) -> Command {
        switch self {
        case .unlock(let keyFile, _): .unlock(keyFile: keyFile, secret)
        case .logIn(let origin, let user, _): .logIn(origin: origin, user: user, secret)
        default: self
        }
    }

    /// More connections than this make nothing faster and use up the open files.
    package static let mostSlots = 256
}

/// How transfers are moved in the queue.
package enum QueueShift: String, Hashable, Sendable, Codable, CaseIterable {
    /// By one place. Transfers that are already at that end of the queue stay, and the others move up to them.
    case earlier, later
    /// To the start or the end of the queue.
    case first, last
}

/// The part of a host's connections that a queue gets, where several machines download from the host.
package struct HostShare: Hashable, Sendable, Codable {
    /// Counts the shares of the host, so that its sender sees in a `HostUse` that the queue keeps to it.
    package var number: Int
    /// Connections of this queue at a time.
    package var places: Int
    /// Connections that the other machines may have.
    package var elsewhere: Int
    /// The refusals that the share takes into account. After a further one the queue opens no connection until the next share.
    package var refusals: Int
    /// Raised when the machines agree on fewer connections: the refusal of an older connection says nothing new.
    package var generation: Int
    /// Connections beyond `places` are closed; otherwise they go on to their ends.
    package var isEnforced: Bool
    /// The host has asked another machine for a pause of this length, counted from now. Part of one share only.
    package var pause: Duration?

    package init(
        number: Int = 0, places: Int, elsewhere: Int = 0, refusals: Int = 0, generation: Int = 0,
        isEnforced: Bool = false, pause: Duration? = nil
    ) {
        (self.number, self.places, self.elsewhere, self.refusals) = (number, places, elsewhere, refusals)
        (self.generation, self.isEnforced, self.pause) = (generation, isEnforced, pause)
    }
}

/// What a queue has and wants at a host that it shares with other machines.
package struct HostUse: Hashable, Sendable {
    package var host: String
    /// Connections that are open, or being opened.
    package var open: Int
    /// Of these, the connections that the host has let in.
    package var accepted: Int
    /// Transfers that would start if there were a place at the host.
    package var waiting: Int
    /// The number of the last `HostShare`; 0: there was none.
    package var share: Int
    /// Connections that the host has let in since the queue began.
    package var answers: Int
    /// Connections that it has refused while others were open, here or elsewhere.
    package var refusals: Int
    /// Times that the host has asked for a pause (`Retry-After`), and the length of the last one.
    package var pauses = 0
    package var pause = Duration.zero

    package init(
        host: String, open: Int, accepted: Int, waiting: Int, share: Int, answers: Int, refusals: Int
    ) {
        (self.host, self.open, self.accepted, self.waiting) = (host, open, accepted, waiting)
        (self.share, self.answers, self.refusals) = (share, answers, refusals)
    }
}
