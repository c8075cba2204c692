/// Where an expected checksum comes from.
package enum ChecksumOrigin: Hashable, Sendable, Codable {
    /// The user: `--checksum`, or `checksum=` in the batch.
    case option
    /// A checksum list (`--sums`).
    case list
    /// The server, in the response header of this name.
    case header(String)
    /// A Metalink, of the batch or named by the server for the file. It is kept with the transfer, so that other mirrors'
    /// files must have it as well.
    case metalink
    /// An earlier run, whose ledger entry does not tell the origin.
    case earlierRun
}

/// An expected checksum of a file and the result of its verification.
package struct ChecksumFinding: Hashable, Sendable, Codable {
    package enum State: Hashable, Sendable, Codable {
        /// The file is not complete yet.
        case expected
        case checking
        case matched
        /// - Parameter got: the actual digest, in lower-case hexadecimal.
        case mismatched(got: String)
        /// Not verified, because another checksum did not match or the transfer was cancelled.
        case unchecked
    }

    package var checksum: Checksum
    package var origin: ChecksumOrigin
    /// The positions of the bytes that it covers; `nil`: the whole file.
    package var range: Range<Int64>?
    package var state: State

    package init(_ checksum: Checksum, origin: ChecksumOrigin, range: Range<Int64>? = nil, state: State = .expected) {
        self.checksum = checksum
        self.origin = origin
        self.range = range
        self.state = state
    }
}
