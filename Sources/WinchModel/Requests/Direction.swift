/// `down`: from the server to a file; `up`: from a file to the server.
public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case down, up
}
