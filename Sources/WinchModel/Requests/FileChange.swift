/// What to do when the file at the server is no longer the one whose bytes are in the part file.
public enum FileChange: String, Hashable, Sendable, Codable, CaseIterable {
    /// The part file is discarded and the new file is downloaded.
    case restart
    /// The transfer fails with `.changed`, and the part file is kept.
    case fail
}
