/// `down`: from the server to a file; `up`: from a file to the server.
public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    /// From a server to a file.
    case down
    /// From a file to a server.
    case up
}
