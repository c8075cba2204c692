/// Who says what a file must hash to.
public enum ChecksumOrigin: Hashable, Sendable, Codable {
    /// A person, by `--checksum` or in the batch.
    case option
    /// A list of hashes, by `--sums`.
    case list
    /// The server, in a header of this name.
    case header(String)
    /// Not known any more: an earlier run has asked for it.
    case earlierRun
}

/// A hash that a file must have, and whether it has it.
public struct ChecksumFinding: Hashable, Sendable, Codable {
    public enum State: Hashable, Sendable, Codable {
        /// The file is not there yet.
        case expected
        case checking
        case matched
        case mismatched(got: String)
        /// Another hash was wrong, or the file is not wanted any more.
        case unchecked
    }

    public var checksum: Checksum
    public var origin: ChecksumOrigin
    /// Of these bytes only; `nil`: of the whole file.
    public var range: Range<Int64>?
    public var state: State

    public init(_ checksum: Checksum, origin: ChecksumOrigin, range: Range<Int64>? = nil, state: State = .expected) {
        self.checksum = checksum
        self.origin = origin
        self.range = range
        self.state = state
    }
}
