import Glibc
import WinchModel
import WinchTransport

extension OpenSource {
    /// A copy of the bytes in memory.
    static func holding(_ bytes: [UInt8], named name: String) throws(NetworkQueueFailure) -> OpenSource {
        guard let number = UploadMemory.open(bytes) else { throw .cannotStart(.other("out of memory")) }
        return OpenSource(descriptor: number, name: name) { close(number) }
    }

    /// A stream, and what writes to it.
    static func stream(named name: String) throws(NetworkQueueFailure) -> (OpenSource, StreamWriter) {
        var ends: [Int32] = [0, 0]
        // A socket, because writing to one whose reader has gone can be kept from raising a signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .cannotStart(.other("no socket for the stream"))
        }
        let (reading, writing) = (ends[0], ends[1])
        let source = OpenSource(descriptor: reading, name: name) { close(reading) }
        return (source, StreamWriter(writing, source))
    }
}

/// Writes a stream for an upload. Ends it, when it is released before.
final class StreamWriter: Sendable {
    private let descriptor: Int32
    /// Weak: the upload's end must end the writing.
    private let failed: @Sendable (String) -> Void

    /// How long a full socket is left to the reader.
    private static let pause = Duration.milliseconds(2)

    init(_ descriptor: Int32, _ source: OpenSource) {
        self.descriptor = descriptor
        failed = { [weak source] reason in source?.fail(reason) }
    }

    deinit { close(descriptor) }

    /// - Returns: false when the bytes are no longer wanted.
    func write(_ bytes: [UInt8]) async -> Bool {
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                send(
                    descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                position += count
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                return false
            } else {
                try? await Task.sleep(for: Self.pause)
            }
        }
        return true
    }

    /// All bytes are written.
    func end() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The bytes do not make the whole.
    func fail(_ reason: String) {
        failed(reason)
        end()
    }
}
