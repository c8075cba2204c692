/// All there is to say of one transfer; sent for the one that a face watches, whenever something in it changed.
public struct TransferDetails: Hashable, Sendable, Codable {
    public var id: TransferID
    /// All mirrors, without logins.
    public var urls: [String]
    /// Which of them is in use.
    public var mirror: Int
    /// Where redirects led in the last attempt, without a login; `nil` without any.
    public var location: String?
    /// Of the last attempt that got an answer.
    public var facts: ConnectionFacts?
    public var validator: Validator?
    /// The target folder, as given.
    public var folder: String
    /// The file's path below the folder, now or to be.
    public var path: String
    /// The part's path below the folder; `nil` when there is none.
    public var partPath: String?
    public var have: ByteCount
    public var size: SizeKnowledge
    /// What of the file is on disk: positions in bytes, ascending, without overlap.
    public var ranges: [Range<Int64>]
    /// Bytes from the start that survive a power loss.
    public var durable: ByteCount
    /// What it must hash to; empty: nobody says.
    public var checksums: [ChecksumFinding]
    public var rateLimit: ByteRate?
    /// The latest attempts, oldest first.
    public var attempts: [AttemptRecord]
    /// Of all attempts so far, so many are no longer in `attempts`.
    public var forgottenAttempts: Int
    /// The transfer's own rate, a mean a second, ascending; the last two minutes.
    public var seconds: [RateHistory.Second]

    public init(
        id: TransferID, urls: [String], mirror: Int = 0, location: String? = nil, facts: ConnectionFacts? = nil,
        validator: Validator? = nil, folder: String, path: String, partPath: String? = nil, have: ByteCount = .zero,
        size: SizeKnowledge, ranges: [Range<Int64>] = [], durable: ByteCount = .zero, checksums: [ChecksumFinding] = [],
        rateLimit: ByteRate? = nil, attempts: [AttemptRecord] = [], forgottenAttempts: Int = 0,
        seconds: [RateHistory.Second] = []
    ) {
        self.id = id
        self.urls = urls
        self.mirror = mirror
        self.location = location
        self.facts = facts
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
        self.attempts = attempts
        self.forgottenAttempts = forgottenAttempts
        self.seconds = seconds
    }

    /// The address in use, without a login.
    public var url: String { urls.indices.contains(mirror) ? urls[mirror] : urls.first ?? "" }

    /// The folder that the file is, or will be, in.
    public var place: String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        return Self.joined(folder, parts.map { String(Substring($0)) }.joined(separator: "/"))
    }

    /// `folder/name`, with one slash between; either may be empty.
    public static func joined(_ folder: String, _ path: String) -> String {
        if folder.isEmpty || path.isEmpty { return folder + path }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
    }
}
