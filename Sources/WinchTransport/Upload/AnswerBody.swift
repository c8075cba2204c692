import WinchModel

/// The body of a server's answer to an upload, as far as it is kept.
struct AnswerBody {
    /// The first bytes.
    private(set) var bytes: [UInt8] = []
    /// Bytes that came.
    private var arrived = 0
    /// The server sent so many that the rest was not read.
    private(set) var isRefused = false

    /// Bytes that are read although they are not kept, so that the connection can be used again.
    private static let mostDropped = 1 << 20

    /// Some of it was not kept.
    var isCut: Bool { isRefused || arrived > bytes.count }

    /// - Parameter wanted: bytes that are kept, at most.
    /// - Returns: false when no more is read.
    mutating func take(_ piece: UnsafeRawBufferPointer, wanted: Int) -> Bool {
        bytes += piece.prefix(max(0, wanted - bytes.count))
        arrived += piece.count
        isRefused = arrived > Self.mostDropped + wanted
        return !isRefused
    }
}
