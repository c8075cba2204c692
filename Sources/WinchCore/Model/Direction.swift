/// Which way the bytes go.
public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case down, up
}
