/// What the engine requires of the transport, which moves the bytes. Every call that is not `async` returns at once; its
/// results arrive as `TransportReport`s, in order.
package protocol TransportPort: Sendable {
    /// Opens a connection and downloads into the part file.
    func open(_ request: ConnectionRequest)
    /// Closes a connection, or ends the finishing of a file whose body it brought. The reply is `.stopped`, or `.finished` when
    /// the file was already complete.
    /// - Parameter discarding: removes the part file and releases its name for other transfers.
    func close(_ id: ConnectionID, discarding: Bool)
    /// Ends a connection before a position: bytes at and beyond it are brought by another connection, or are on disk. The
    /// reply, once the bytes before it are on disk, is `.pieceEnded`. A position beyond the one given last takes that back.
    func bound(_ id: ConnectionID, at end: Int64)
    /// Goes on with an upload whose place at the server was reported by `placed`: the ledger has it.
    func proceed(_ id: ConnectionID)
    /// Removes what an upload without a connection has left at its server, as far as the protocol allows, and reads no more of a
    /// stream. There is no reply.
    /// - Parameter request: as for another attempt; its `resume` says what is there.
    func withdraw(_ request: ConnectionRequest)
    /// Removes the part file of a transfer that has no connection, and releases its name for other transfers.
    /// - Parameters:
    ///   - folder: the target folder, as in `ConnectionRequest`; needed because the part may be from an earlier run.
    ///   - addresses: the URLs of the file. A part whose attributes name another URL is not removed.
    func discard(_ id: TransferID, _ resume: ResumePoint?, folder: String, addresses: [TransferURL])
    /// Requests the size of a file ahead of time. The reply is `.probed`.
    func probe(_ request: ProbeRequest)
    func stopProbe(_ id: TransferID)
    /// Sets the rate limit of one connection from now on; `nil` removes it.
    func limit(_ id: ConnectionID, to rate: ByteRate?)
    /// Trusts the key of an SSH server from now on.
    /// - Parameter remembering: adds a line to known_hosts, so that later runs trust it as well.
    func trust(_ key: HostKey, remembering: Bool)
    /// Keeps the passphrase of a private key in memory for this run.
    func unlock(keyFile: String, _ passphrase: Secret)
    /// The free space of the file system of a folder, which need not exist yet; `nil` when it cannot be determined. May take
    /// long on a network file system, and therefore runs on a thread of its own.
    func space(in folder: String) async -> DiskSpaceReading?
    /// Closes all connections, keeps the part files, and returns when all earlier calls have been carried out and nothing
    /// runs. May be called again.
    func shutDown() async
}

/// Everything the transport needs for one connection.
package struct ConnectionRequest: Hashable, Sendable {
    package var connection: ConnectionID
    /// The bytes of the file that the connection is to bring into a part that an earlier connection of the same attempt has
    /// opened; `nil`: the first connection of an attempt, which brings all that the part lacks.
    package var range: Range<Int64>?
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
    /// What is sent; `nil`: the connection downloads.
    package var upload: UploadOrder?
    /// The part file of an earlier attempt; `nil`: none.
    package var resume: ResumePoint?
    package var rateLimit: ByteRate?
    /// The bytes on disk were downloaded from another URL, which the user has replaced.
    package var isNewAddress = false
    /// The other URLs of the same file: a part file whose attributes name one of them belongs to this transfer.
    package var mirrors: [TransferURL] = []

    package var transfer: TransferID { connection.transfer }

    package init(
        connection: ConnectionID, url: TransferURL, folder: String, name: TargetPath?,
        settings: Shared<TransferSettings>, resume: ResumePoint? = nil, rateLimit: ByteRate? = nil
    ) {
        self.connection = connection
        self.url = url
        self.folder = folder
        self.name = name
        self.settings = settings
        self.resume = resume
        self.rateLimit = rateLimit
    }
}

/// What is needed to resume a part file.
package struct ResumePoint: Hashable, Sendable {
    /// The path of the part file below the target folder.
    package var partPath: String
    /// The path that the complete file will get, below the target folder.
    package var targetPath: String
    /// Bytes on disk, by their positions in the file. A single connection goes on at the first gap.
    package var onDisk: ByteRanges
    /// The size of the whole file; `nil` when the server did not declare it.
    package var total: ByteCount?
    package var validator: Validator?
    /// Bytes that were synced and survive a power loss.
    package var durable = ByteRanges()
    /// The machine was restarted after the part was written, so bytes beyond `durable` must not be used. Otherwise all bytes
    /// of the file can be used, which may be more than `onDisk`, unless that has gaps.
    package var isAfterReboot = false
    /// The part file as this process left it; `nil` after an earlier run. Not stored in the ledger.
    package var mark: FileIdentity?
    /// Disk space is reserved for the bytes that are missing, until the part is closed. Not stored in the ledger.
    package var isReserved = false
    /// Of an upload, which has no part file: what is at the server. `onDisk` are the bytes that the server has.
    @HeapOptional package var upload: UploadPlace? = nil

    /// Bytes on disk.
    package var have: ByteCount { onDisk.byteCount }

    /// - Parameter have: bytes from the start of the file, without a gap.
    package init(
        partPath: String, targetPath: String, have: ByteCount = .zero, total: ByteCount? = nil,
        validator: Validator? = nil
    ) {
        self.partPath = partPath
        self.targetPath = targetPath
        onDisk = ByteRanges(prefix: have)
        self.total = total
        self.validator = validator
    }
}

/// Identifies a version of a file at the server. Weak ETags do not qualify, nor does a Last-Modified date that is not older
/// than the Date of the response.
///
/// - Source: RFC 9110, sections 8.8.2.2 and 13.1.5.
package enum Validator: Hashable, Sendable, Codable {
    /// With its quotes.
    case strongETag(String)
    /// The date as the server sent it.
    case lastModified(String)

    /// The value for an If-Range header.
    package var headerValue: String {
        switch self {
        case .strongETag(let tag): tag
        case .lastModified(let date): date
        }
    }
}

/// A request for the size of a file, without its body.
package struct ProbeRequest: Hashable, Sendable {
    package var id: TransferID
    package var url: TransferURL
    package var settings: Shared<TransferSettings>

    package init(id: TransferID, url: TransferURL, settings: Shared<TransferSettings>) {
        self.id = id
        self.url = url
        self.settings = settings
    }
}

/// An event that the transport reports about one connection, or about the file whose body that connection brought. Reports of
/// one connection arrive in the order of the events.
package struct TransportReport: Sendable {
    package var connection: ConnectionID
    package var at: Moment
    package var event: TransportEvent

    package var id: TransferID { connection.transfer }

    package init(_ connection: ConnectionID, at: Moment, event: TransportEvent) {
        self.connection = connection
        self.at = at
        self.event = event
    }
}

/// One event of a connection or a file.
///
/// What is large is indirect: a report is copied a dozen times on its way from the connection to the queue.
package enum TransportEvent: Hashable, Sendable {
    /// The connection is established and the request has been sent.
    case requested
    /// The head of the response has arrived, and it is neither a redirect nor a request for a login.
    indirect case connected(ConnectionFacts)
    /// The expected digests of the body. Reported again when a trailer after the body adds one, or a Metalink that the responses
    /// name.
    /// - Parameter pieces: the hashes of the file's pieces, by that Metalink.
    case demanded([ExpectedDigest], pieces: PieceHashes? = nil)
    /// The responses name these mirrors, those to be used first in front, and a Metalink that describes the file. None has a
    /// login, and all are encrypted if the request's URL is. Reported before `opened`.
    indirect case mirrors([TransferURL], metalink: TransferURL?)
    /// A redirect to this URL, from which the login is removed.
    indirect case redirected(String, status: Int = 302)
    /// The headers of the body have arrived and the part file is open at `offset`.
    indirect case opened(Opening)
    /// The bytes of the file from the start of the body to this position are on disk; cumulative, about ten times a second.
    /// A further connection of the file first reports the start of its range, when it is let in.
    case moved(through: Int64)
    /// The connection has brought all bytes of its range, or up to the position at which it was bounded, and is no more.
    /// Other bytes of the file are missing still: the part stays open for the next connection, or until `close`.
    case pieceEnded
    /// A piece of the file has another hash than its list says: its bytes are to be fetched again.
    /// - Parameters:
    ///   - from: the address that all of them came from; `nil`: it is not known, or there are several.
    ///   - failure: `.checksum`.
    indirect case wrongPiece(Range<Int64>, from: TransferURL?, failure: TransferFailure)
    /// These bytes of the file were synced and survive a power loss. Cumulative, at least every 10 s while bytes arrive.
    case durable(ByteRanges)
    /// Bytes of an upload's body that were sent over this connection, and the size of the body; cumulative, about ten times a
    /// second. `nil`: the size is not known.
    case sent(ByteCount, of: ByteCount?)
    /// Bytes from this position on must be sent again: the server requested a login, redirected the request, or does not have
    /// them.
    case unsent(downTo: ByteCount, because: Rebase.Cause = .sentAgain)
    /// The source of an upload is open, and this is where it is sent to and what the server has of it.
    /// - Parameter isHeld: the connection sends nothing before `proceed`, so that a later run knows the place.
    indirect case placed(ResumePoint, isHeld: Bool)
    /// The server's answer to an upload.
    indirect case replied(ServerReply)
    /// A warning about the body, which is accepted all the same. Valid until the next `opened`, of an
    /// upload until the next attempt.
    indirect case warned(TransferWarning)
    /// So many bytes have been hashed: of the complete body, or, before a request, of a file that exists already. Cumulative,
    /// about ten times a second. Not reported when no hash is needed, nor for a file that is hashed in less than that time.
    case verified(ByteCount, of: ByteCount)
    /// The body is complete; `size` is exact. For a download, checksum, fsync and rename follow on another thread, and the
    /// slot is free for the next transfer; for an upload, the server's response follows.
    case bodyEnded(size: ByteCount)
    /// The file is complete and synced under its final name; the outcome's path is below the target folder.
    indirect case finished(TransferPhase.Outcome, size: ByteCount)
    /// The body was a Metalink, which is not saved, and these are its files; at least one. `size` is that of the body. The
    /// warning is about files that were left out.
    indirect case listed([TransferSpec], size: ByteCount, warning: TransferWarning?)
    /// A further connection that was answered with something else than the range of the same version of the file fails with
    /// `.badResponse`.
    /// - Parameters:
    ///   - retryAfter: the wait that the server asked for.
    ///   - kept: the part file that is left on disk; `nil`: none.
    indirect case failed(TransferFailure, retryAfter: Duration?, kept: ResumePoint?)
    /// The reply to `close`; `kept` is `nil` when no part file is left.
    indirect case stopped(kept: ResumePoint?)
    /// The reply to `probe`; `nil`: the server did not declare the size.
    case probed(ByteCount?)
}

/// What is known at the start of a body.
package struct Opening: Hashable, Sendable {
    package var status: Int
    /// The position in the file at which the body begins.
    package var offset: ByteCount
    /// The size of the whole file; `nil` when the server did not declare it.
    package var total: ByteCount?
    /// With the bytes that are on disk already: those before `offset`, and those behind gaps that the body fills.
    package var part: ResumePoint
    /// Why `offset` is less than the requested position; `nil` when it is not.
    package var startedOver: Rebase.Cause?
    /// Why no further connection can bring a part of this file; `nil`: one can.
    package var obstacle: SplitObstacle?
    /// False: the server says, or leaves unsaid, that it can send the rest of the file alone, so that a further attempt may have
    /// to begin again.
    package var canContinue: Bool

    package init(
        status: Int, offset: ByteCount, total: ByteCount?, part: ResumePoint, startedOver: Rebase.Cause? = nil,
        obstacle: SplitObstacle? = .unknownSize, canContinue: Bool = true
    ) {
        self.status = status
        self.offset = offset
        self.total = total
        self.part = part
        self.startedOver = startedOver
        self.obstacle = obstacle
        self.canContinue = canContinue
    }
}
