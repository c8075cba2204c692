/// Everything that is known about one transfer. Sent for the transfer of `Command.watch` whenever anything in it changed.
package struct TransferDetails: Hashable, Sendable, Codable {
    package var id: TransferID
    /// All mirrors, without logins.
    package var urls: [String]
    /// The index in `urls` of the one in use.
    package var mirror: Int
    /// The URL after the redirects of the last attempt, without a login; `nil` without redirects.
    package var location: String?
    /// From the last attempt that got a response.
    package var facts: ConnectionFacts?
    /// The local file of an upload; `nil`: it is none, or a download.
    package var source: String?
    /// The server's answer to an upload; `nil` before it came.
    package var reply: ServerReply?
    package var validator: Validator?
    /// The target folder, as given.
    package var folder: String
    /// The path of the file below the folder, or the expected path.
    package var path: String
    /// The path of the part file below the folder; `nil` when there is none.
    package var partPath: String?
    package var have: ByteCount
    package var size: SizeKnowledge
    /// The parts of the file that are on disk: positions in bytes, ascending, without overlap.
    package var ranges: [Range<Int64>]
    /// The parts of the file that were synced and survive a power loss, as in `ranges`.
    package var durable: [Range<Int64>]
    /// The expected checksums and their results; empty when none is known.
    package var checksums: [ChecksumFinding]
    package var rateLimit: ByteRate?
    /// The open connections, in the order of opening.
    package var connections: [OpenConnection]
    /// Why there are not more connections, e.g. `more did not help`; `nil`: more are tried, or not needed.
    package var connectionReason: String?
    /// The latest attempts, oldest first.
    package var attempts: [AttemptRecord]
    /// How many older attempts are no longer in `attempts`.
    package var forgottenAttempts: Int
    /// The transfer's mean rate in each of the last 120 seconds, ascending.
    package var seconds: [RateHistory.Second]

    package init(
        id: TransferID, urls: [String], mirror: Int = 0, location: String? = nil, facts: ConnectionFacts? = nil,
        reply: ServerReply? = nil, validator: Validator? = nil, folder: String, path: String, partPath: String? = nil,
        have: ByteCount = .zero, size: SizeKnowledge, ranges: [Range<Int64>] = [], durable: [Range<Int64>] = [],
        checksums: [ChecksumFinding] = [],
        rateLimit: ByteRate? = nil, connections: [OpenConnection] = [], connectionReason: String? = nil,
        attempts: [AttemptRecord] = [], forgottenAttempts: Int = 0, seconds: [RateHistory.Second] = []
    ) {
        self.id = id
        self.urls = urls
        self.mirror = mirror
        self.location = location
        self.facts = facts
        self.reply = reply
        self.validator = validator
        self.folder = folder
        self.path = path
        self.partPath = partPath
        self.have = have
        self.size = size
        self.ranges = ranges
        self.durable = durable
        self.checksums = checksums
        self.rateLimit = rateLimit
        self.connections = connections
        self.connectionReason = connectionReason
        self.attempts = attempts
        self.forgottenAttempts = forgottenAttempts
        self.seconds = seconds
    }

    /// The URL in use, without a login.
    package var url: String { urls.indices.contains(mirror) ? urls[mirror] : urls.first ?? "" }

    /// The folder that contains the file, including the folders in `path`.
    package var place: String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        return Self.joined(folder, parts.map { String(Substring($0)) }.joined(separator: "/"))
    }

    /// `folder/name`, with one slash between; either may be empty.
    package static func joined(_ folder: String, _ path: String) -> String {
        if folder.isEmpty || path.isEmpty { return folder + path }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
    }
}
