/// A request and its outcome.
package struct LoggedRequest: Equatable, Sendable {
    package let request: ReceivedRequest
    /// The option `key`, or the percent-decoded path.
    package let key: String
    /// Sent status; 0 when the connection ended before one.
    package let status: Int
    /// Number of the connection it came over, from 1: equal numbers mean the connection was kept alive.
    package let connection: Int
    /// Time since the server started.
    package let arrival: Duration
    /// Body bytes handed to the kernel; 0 until the answer is over or the connection gone.
    package internal(set) var bodyBytes: Int64 = 0
    /// Whether the answer was sent to its planned end.
    package internal(set) var isFinished = false

    package var method: String { request.method }
    /// Without the query.
    package var path: String { RequestTarget(request.target).path }
    /// What its URL asks for; `nil` for another path than that of a file.
    package var served: (seed: UInt64, size: Int64)? {
        (try? FaultOptions(RequestTarget(request.target))).map { (seed: $0.seed, size: $0.size) }
    }
    package var range: String? { request.header("Range") }
    package var ifRange: String? { request.header("If-Range") }
    package var authorization: String? { request.header("Authorization") }
    package var cookie: String? { request.header("Cookie") }
    package var userAgent: String? { request.header("User-Agent") }
    package var referer: String? { request.header("Referer") }
    package var acceptEncoding: String? { request.header("Accept-Encoding") }
}
