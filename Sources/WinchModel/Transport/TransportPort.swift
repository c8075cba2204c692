/// What the engine requires of the transport, which moves the bytes. Every call that is not `async` returns at once; its
/// results arrive as `TransportReport`s, in order.
package protocol TransportPort: Sendable {
    /// Opens a connection and downloads into the part file.
    func open(_ request: ConnectionRequest)
    /// Closes a connection, or ends the finishing of a file whose body it brought. The reply is `.stopped`, or `.finished` when
    /// the file was already complete.
    /// - Parameter discarding: removes the part file and releases its name for other transfers.
    func close(_ id: ConnectionID, discarding: Bool)
    /// Gives back one of several connections of a file: it gets no further range, and ends within two seconds. The reply is
    /// `.ended`, or what else ends it.
    /// - Parameter atOnce: it ends where it is.
    func retire(_ id: ConnectionID, atOnce: Bool)
    /// No further request is made for the file while one of its connections runs: each of them goes on as far as its request
    /// reaches. Holds until the file's next attempt.
    func askNoMore(_ id: TransferID)
    /// Goes on with an upload whose place at the server was reported by `placed`: the ledger has it.
    func proceed(_ id: ConnectionID)
    /// Removes what an upload without a connection has left at its server, as far as the protocol allows, and reads no more of a
    /// stream. There is no reply.
    /// - Parameter request: as for another attempt; its `resume` says what is there.
    func withdraw(_ request: ConnectionRequest)
    /// Removes the part file of a transfer that has no connection, and releases its name for other transfers.
    /// - Parameters:
    ///   - folder: the target folder, as in `ConnectionRequest`; needed because the part may be from an earlier run.
    ///   - namedParts: as in `ConnectionRequest`.
    ///   - addresses: the URLs of the file. A part whose attributes name another URL is not removed.
    func discard(
        _ id: TransferID, _ resume: ResumePoint?, folder: String, namedParts: Int, addresses: [TransferURL])
    /// Requests the size of a file ahead of time. The reply is `.probed`.
    func probe(_ request: ProbeRequest)
    func stopProbe(_ id: TransferID)
    /// Sets the rate limit of one connection from now on; `nil` removes it.
    func limit(_ id: ConnectionID, to rate: ByteRate?)
    /// Trusts the key of an SSH server from now on.
    /// - Parameter remembering: adds a line to known_hosts, so that later runs trust it as well.
    func trust(_ key: SSHHostKey, remembering: Bool)
    /// Keeps the passphrase of a private key in memory for this run.
    func unlock(keyFile: String, _ passphrase: Secret)
    /// Keeps a login in memory for this run. Connections to this origin (`TransferURL.origin`) use it that have none, or one of this
    /// user, or one that was refused: another transfer may have another account there.
    ///
    /// - Parameter refused: users whose logins the server has refused; `nil` among them: one without a name, such as a token.
    func logIn(at origin: String, user: String, _ password: Secret, instead refused: Set<String?>)
    /// The free space of the file system of a folder, which need not exist yet; `nil` when it cannot be determined. May take
    /// long on a network file system, and therefore runs on a thread of its own.
    func space(in folder: String) async -> DiskSpaceReading?
    /// Closes all connections, keeps the part files, and returns when all earlier calls have been carried out and nothing
    /// runs. May be called again.
    func shutDown() async
}

/// Free space in a folder, as its file system reports it.
package struct DiskSpaceReading: Hashable, Sendable {
    /// Names the file system within this run.
    package var device: UInt64
    /// Bytes that we may still write.
    package var free: ByteCount
    /// Bytes of the whole file system.
    package var size: ByteCount

    package init(device: UInt64, free: ByteCount, size: ByteCount) {
        (self.device, self.free, self.size) = (device, free, size)
    }

    /// Left to others and to the file system's own needs: 16 MiB, on a small one the hundredth part.
    package var reserve: Int64 { min(16 << 20, max(0, size.bytes) / 100) }
}
