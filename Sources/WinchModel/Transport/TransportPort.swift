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
    /// stream. The reply is `.warned(.leftAtServer)` when that has failed for good.
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

/// Everything the transport needs for one connection.
package struct ConnectionRequest: Hashable, Sendable {
    package var connection: ConnectionID
    /// It helps to fill a part that an earlier connection of the same attempt has opened, and brings the ranges that the
    /// transport finds for it. False: the first connection of an attempt.
    package var isFurther = false
    /// Connections that the file may have before long: ranges are made so that as many would end together.
    package var expected = 1
    package var url: TransferURL
    package var folder: String
    /// From `out=` or `-o`; `nil`: the server or the URL determines the name.
    package var name: TargetPath?
    package var settings: Shared<TransferSettings>
    /// As in `TransferSpec`.
    package var listedChecksum: Checksum?
    /// As in `TransferSpec`.
    package var listedOrigin: ChecksumOrigin = .list
    /// As in `TransferSpec`.
    package var pieces: PieceHashes?
    /// The size that a Metalink names, of a file without hashes; `nil`: hashes tell whether the file is right, or nothing does.
    package var listedSize: ByteCount?
    /// The connection lists this folder; `nil`: it brings or sends one file.
    package var folderOrder: FolderOrder?
    /// What a listing says of the file.
    package var listedVersion: ListedVersion?
    /// As in `TransferSpec`.
    package var namedParts = 0
    /// As in `TransferSpec`; of the first URL alone.
    package var finishedFile: FinishedFile?
    /// What is sent; `nil`: the connection downloads.
    package var upload: UploadOrder?
    /// The part file of an earlier attempt; `nil`: none.
    package var resume: ResumePoint?
    package var rateLimit: ByteRate?
    /// The bytes on disk were downloaded from another URL, which the user has replaced.
    package var isNewAddress = false
    /// The attempt before was answered with a status of failure, or its connection was lost before it brought a byte.
    package var followsRefusal = false
    /// The other URLs of the same file: a part file whose attributes name one of them belongs to this transfer.
    package var mirrors: [TransferURL] = []

    package var transfer: TransferID { connection.transfer }

    package init(
        connection: ConnectionID, url: TransferURL, folder: String, name: TargetPath?,
        settings: Shared<TransferSettings>, resume: ResumePoint? = nil, rateLimit: ByteRate? = nil
    ) {
        (self.connection, self.url, self.folder, self.name) = (connection, url, folder, name)
        (self.settings, self.resume, self.rateLimit) = (settings, resume, rateLimit)
    }
}

/// A request for the size of a file, without its body.
package struct ProbeRequest: Hashable, Sendable {
    package var id: TransferID
    package var url: TransferURL
    package var settings: Shared<TransferSettings>

    package init(id: TransferID, url: TransferURL, settings: Shared<TransferSettings>) {
        (self.id, self.url, self.settings) = (id, url, settings)
    }
}

/// Identifies a connection of this run. Reports about a connection that the queue no longer knows are late and ignored.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package var transfer: TransferID
    /// Counts the cancels of the transfer.
    package var epoch: Int
    /// Counts the connections of the transfer from 1. 0: the request for its size, or none yet.
    package var number: Int

    package init(transfer: TransferID, epoch: Int = 0, number: Int = 0) {
        (self.transfer, self.epoch, self.number) = (transfer, epoch, number)
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        (left.transfer, left.epoch, left.number) < (right.transfer, right.epoch, right.number)
    }
}
