/// Where an expected checksum comes from.
public enum ChecksumOrigin: Hashable, Sendable, Codable {
    /// The user: `--checksum`, or `checksum=` in the batch.
    case option
    /// A checksum list (`--sums`).
    case list
    /// The server, in the response header of this name.
    case header(String)
    /// An earlier run, whose ledger entry does not tell the origin.
    case earlierRun
}

/// An expected checksum of a file and the result of its verification.
public struct ChecksumFinding: Hashable, Sendable, Codable {
    public enum State: Hashable, Sendable, Codable {
        /// The file is not complete yet.
        case expected
        case checking
        case matched
        /// - Parameter got: the actual digest, in lower-case hexadecimal.
        case mismatched(got: String)
        /// Not verified, because another checksum did not match or the transfer was cancelled.
        case unchecked
    }

    public var checksum: Checksum
    public var origin: ChecksumOrigin
    /// The positions of the bytes that it covers; `nil`: the whole file.
    public var range: Range<Int64>?
    public var state: State

    public init(_ checksum: Checksum, origin: ChecksumOrigin, range: Range<Int64>? = nil, state: State = .expected) {
        self.checksum = checksum
        self.origin = origin
        self.range = range
        self.state = state
    }
}
