/// A request and its outcome.
public struct LoggedRequest: Equatable, Sendable {
    public let request: ReceivedRequest
    /// The option `key`, or the percent-decoded path.
    public let key: String
    /// Sent status; 0 when the connection ended before one.
    public let status: Int
    /// Number of the connection it came over, from 1: equal numbers mean the connection was kept alive.
    public let connection: Int
    /// Time since the server started.
    public let arrival: Duration
    /// Body bytes handed to the kernel; 0 until the answer is over or the connection gone.
    public internal(set) var bodyBytes: Int64 = 0
    /// Whether the answer was sent to its planned end.
    public internal(set) var isFinished = false

    public var method: String { request.method }
    /// Without the query.
    public var path: String { RequestTarget(request.target).path }
    public var range: String? { request.header("Range") }
    public var ifRange: String? { request.header("If-Range") }
    public var authorization: String? { request.header("Authorization") }
    public var cookie: String? { request.header("Cookie") }
    public var userAgent: String? { request.header("User-Agent") }
    public var referer: String? { request.header("Referer") }
    public var acceptEncoding: String? { request.header("Accept-Encoding") }

    var json: JSONValue {
        .object([
            ("method", .string(method)), ("path", .string(path)), ("target", .string(request.target)),
            ("key", .string(key)), ("status", .number(Int64(status))), ("range", .optional(range)),
            ("ifRange", .optional(ifRange)), ("authorization", .optional(authorization)), ("cookie", .optional(cookie)),
            ("userAgent", .optional(userAgent)), ("referer", .optional(referer)),
            ("acceptEncoding", .optional(acceptEncoding)), ("connection", .number(Int64(connection))),
            ("bodyBytes", .number(bodyBytes)), ("finished", .boolean(isFinished)),
        ])
    }
}
