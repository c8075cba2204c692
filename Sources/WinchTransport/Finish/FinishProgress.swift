import WinchModel

/// How far the hash of a complete body is.
struct FinishProgress: Sendable {
    var connection: ConnectionID
    var hashed: Int64
    var size: Int64
}
