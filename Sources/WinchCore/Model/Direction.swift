/// Which way the bytes go.
public enum Direction: String, Hashable, Sendable, Codable {
    case down, up
}
