/// A request with a body, or one for a folder, as far as the server has read it.
package struct UploadRecord: Equatable, Sendable {
    package let request: ReceivedRequest
    /// Percent-decoded, without the query: `/up/a b`.
    package let path: String
    /// Content-Length; `nil` for a chunked body.
    package let declaredLength: Int64?
    /// Growth of `bytesRead`, in order, with one entry for each piece that the server's program got from its socket.
    package internal(set) var marks: [Mark] = []
    /// Whether the whole body has been read.
    package internal(set) var isComplete = false
    /// Status of the final answer; `nil` before it, 0 when the connection ended without one.
    package internal(set) var status: Int?
    /// Statuses of the heads sent before the final answer: 100, 103, 104.
    package internal(set) var interim: [Int] = []

    package struct Mark: Equatable, Sendable {
        /// Nanoseconds since 1970: other processes on this machine have the same clock.
        package let time: Int64
        /// Bytes of the body that the server's program had read by then.
        package let bytes: Int64
    }

    package var method: String { request.method }
    package var bytesRead: Int64 { marks.last?.bytes ?? 0 }
    package var isChunked: Bool { request.header("Transfer-Encoding")?.lowercased().contains("chunked") ?? false }
    package var expectsContinue: Bool { request.expectsContinue }

    /// What had been read at a moment.
    ///
    /// - Parameter time: nanoseconds since 1970.
    package func bytesRead(at time: Int64) -> Int64 {
        marks.last { $0.time <= time }?.bytes ?? 0
    }
}
