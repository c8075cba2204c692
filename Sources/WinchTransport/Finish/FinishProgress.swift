import WinchModel

/// How far the hash of a complete body is.
struct FinishProgress: Sendable {
    var id: TransferID
    var stamp: Stamp
    var hashed: Int64
    var size: Int64
}
