/// What the engine asks of whatever moves the bytes. Every call returns at once; what came of it arrives as
/// `TransportReport`s, in order.
public protocol TransportPort: Sendable {
    /// Opens a connection and fetches into the part file.
    func start(_ request: StartRequest)
    /// Closes the connection; the answer is `.stopped`, or `.finished` when the file was complete before.
    /// - Parameter discarding: removes the part file and gives the name back.
    func stop(_ id: TransferID, _ stamp: Stamp, discarding: Bool)
    /// Removes the part of a transfer that has no connection, and gives its name back.
    /// - Parameters:
    ///   - folder: the target folder, as in `StartRequest`: the part may be of an earlier run.
    ///   - addresses: of the file: a part that says that it is of another one is left alone.
    func discard(_ id: TransferID, _ resume: ResumePoint?, folder: String, addresses: [TransferURL])
    /// Asks for a size ahead of time; the answer is `.probed`.
    func probe(_ request: ProbeRequest)
    func stopProbe(_ id: TransferID)
    /// Bytes a second for one transfer from now on; `nil` lifts it.
    func limit(_ id: TransferID, to rate: ByteRate?)
    /// Trusts the key of an SSH server from now on.
    /// - Parameter remembering: in later runs as well, by a line in known_hosts.
    func trust(_ key: HostKey, remembering: Bool)
    /// Keeps the passphrase of a private key's file for this run.
    func unlock(keyFile: String, _ passphrase: Secret)
    /// Room in a folder, which need not exist yet; may take its time, on a thread of its own. `nil`: nobody can tell.
    func space(in folder: String) async -> SpaceReading?
    /// Closes everything, keeps the parts, returns when nothing runs any more and what was asked for before is done. May
    /// be called again.
    func shutDown() async
}

/// Tells events of this attempt from late ones of an earlier.
public struct Stamp: Hashable, Sendable, Codable {
    /// Counts cancels and restarts from nothing.
    public var epoch: Int
    /// Counts connections.
    public var attempt: Int

    public init(epoch: Int = 0, attempt: Int = 0) {
        self.epoch = epoch
        self.attempt = attempt
    }
}

/// Everything the transport needs for one attempt.
public struct StartRequest: Hashable, Sendable {
    public var id: TransferID
    public var stamp: Stamp
    public var url: TransferURL
    public var folder: String
    /// From `out=`; `nil`: the server or the URL names it.
    public var name: TargetPath?
    public var settings: Shared<TransferSettings>
    /// As in `TransferSpec`.
    public var listedChecksum: Checksum?
    /// What an earlier attempt left on disk.
    public var resume: ResumePoint?
    public var rateLimit: ByteRate?
    /// What earlier attempts left of `maxTime`; `nil`: all of it.
    public var timeLeft: Duration?
    /// The kept bytes came from another address, which a person replaced.
    public var isNewAddress = false
    /// The other addresses of the same file: a part that says that it is of one of them is ours.
    public var mirrors: [TransferURL] = []

    public init(
        id: TransferID, stamp: Stamp, url: TransferURL, folder: String, name: TargetPath?,
        settings: Shared<TransferSettings>, resume: ResumePoint? = nil, rateLimit: ByteRate? = nil,
        timeLeft: Duration? = nil
    ) {
        self.id = id
        self.stamp = stamp
        self.url = url
        self.folder = folder
        self.name = name
        self.settings = settings
        self.resume = resume
        self.rateLimit = rateLimit
        self.timeLeft = timeLeft
    }
}

/// What must be remembered of a part file to go on with it.
public struct ResumePoint: Hashable, Sendable, Codable {
    /// Path of the part file, below the target folder.
    public var partPath: String
    /// The name the file is to get, below the target folder.
    public var targetPath: String
    /// Bytes on disk, from the start without a gap.
    public var have: ByteCount
    /// The whole, if the server said.
    public var total: ByteCount?
    public var validator: Validator?
    /// Bytes from the start that survive a power loss: they were synced.
    public var durable = ByteCount.zero
    /// The machine has been started anew since the part was written: beyond `durable` nothing in the file is to be
    /// trusted. Otherwise the file's own length tells what is there, which may be more than `have`.
    public var isAfterReboot = false
    /// The part as this process left it; `nil`: only what an earlier run wrote down is known. Not kept in the ledger.
    public var mark: FileMark?

    public init(
        partPath: String, targetPath: String, have: ByteCount = .zero, total: ByteCount? = nil,
        validator: Validator? = nil
    ) {
        self.partPath = partPath
        self.targetPath = targetPath
        self.have = have
        self.total = total
        self.validator = validator
    }
}

/// A file of this machine at one instant. While all of this is the same, the name still leads to the same file, and
/// nothing has written to it.
public struct FileMark: Hashable, Sendable, Codable {
    public var device: UInt64
    public var node: UInt64
    public var length: Int64
    /// Nanoseconds since 1970 of the last write.
    public var modified: Int64

    public init(device: UInt64, node: UInt64, length: Int64, modified: Int64) {
        self.device = device
        self.node = node
        self.length = length
        self.modified = modified
    }
}

/// What tells one version of a file from another. A weak ETag is none, nor is a Last-Modified that is not older than the
/// answer that named it.
///
/// - Source: RFC 9110, sections 8.8.2.2 and 13.1.5.
public enum Validator: Hashable, Sendable, Codable {
    /// With its quotes.
    case strongETag(String)
    /// As the server wrote it.
    case lastModified(String)

    /// For `If-Range`.
    public var headerValue: String {
        switch self {
        case .strongETag(let tag): tag
        case .lastModified(let date): date
        }
    }
}

/// A question for a size, without a body.
public struct ProbeRequest: Hashable, Sendable {
    public var id: TransferID
    public var url: TransferURL
    public var settings: Shared<TransferSettings>

    public init(id: TransferID, url: TransferURL, settings: Shared<TransferSettings>) {
        self.id = id
        self.url = url
        self.settings = settings
    }
}

/// What the transport has to say of one transfer. Reports of one attempt arrive in the order of happening.
public struct TransportReport: Sendable {
    public var id: TransferID
    public var stamp: Stamp
    public var at: Moment
    public var event: TransportEvent

    public init(id: TransferID, stamp: Stamp, at: Moment, event: TransportEvent) {
        self.id = id
        self.stamp = stamp
        self.at = at
        self.event = event
    }
}

/// One thing that happened to a connection or a file.
public enum TransportEvent: Hashable, Sendable {
    /// The connection stands and the request is sent.
    case requested
    /// An answer's head has come that is neither a redirect nor a question for a login: what is known of the connection.
    case connected(ConnectionFacts)
    /// What the body that comes, or has come, must hash to; once more when a trailer adds to it.
    case demanded([DigestDemand])
    /// The server sends us on; the address is without a login.
    case redirected(String, status: Int = 302)
    /// The headers of the body are in and the part is open at `offset`.
    case opened(Opening)
    /// Bytes on disk now (offset + written); cumulative, about ten times a second.
    case moved(have: ByteCount)
    /// So many bytes from the start were synced: they survive a power loss. Cumulative, at least every 10 s while bytes
    /// come.
    case durable(ByteCount)
    /// More came than announced, and the framing allows it.
    case outgrown(have: ByteCount)
    /// Bytes of an upload's body sent in this attempt, of how many; cumulative, about ten times a second. `nil`: the body has
    /// no known end.
    case sent(ByteCount, of: ByteCount?)
    /// The whole body must be sent once more: the server asked for a login, or sent us on.
    case unsent
    /// Something is odd about what comes, and it is taken all the same. Holds until the next `opened`.
    case warned(TransferWarning)
    /// So many bytes of the complete body, or before a request of the file that is there, were hashed, of how many; cumulative, about ten times a second. Not said of
    /// what needs no hash, nor of what is hashed at once.
    case verified(ByteCount, of: ByteCount)
    /// The body is complete; `size` is exact. Checksum, fsync and rename follow beside the network, which is free for the
    /// next; or the answer to an upload.
    case bodyEnded(size: ByteCount)
    /// The file is on the disk for good; the outcome's path is below the target folder.
    case finished(RowPhase.Outcome, size: ByteCount)
    /// - Parameters:
    ///   - retryAfter: the server's own wish.
    ///   - kept: what is left on disk; `nil`: nothing.
    case failed(TransferFailure, retryAfter: Duration?, kept: ResumePoint?)
    /// After `stop`; `nil`: the part is gone.
    case stopped(kept: ResumePoint?)
    /// `nil`: the server did not say.
    case probed(ByteCount?)
}

/// How a body begins.
public struct Opening: Hashable, Sendable {
    public var status: Int
    /// Where in the file the body begins: bytes before it are kept.
    public var offset: ByteCount
    /// The file's whole size, if declared.
    public var total: ByteCount?
    public var part: ResumePoint
    /// Why `offset` is less than was asked for.
    public var startedOver: Rebase.Cause?

    public init(
        status: Int, offset: ByteCount, total: ByteCount?, part: ResumePoint, startedOver: Rebase.Cause? = nil
    ) {
        self.status = status
        self.offset = offset
        self.total = total
        self.part = part
        self.startedOver = startedOver
    }
}
