/// How one file is to be served, as its URL asks.
struct FaultOptions: Equatable, Sendable {
    /// Requests with the same key share counters: the status sequence, the version, the first drop.
    var key: String

    // What the file holds.
    var seed: UInt64
    var size: Int64 = 64 << 10
    /// The number of GET requests after which the content changes, again and again; `nil`: never.
    var changesEvery: Int?
    /// At most this many different versions of the content; the last one stays.
    var versions = Int.max
    /// Bytes that each change adds; may be negative.
    var growth: Int64 = 0
    var isGzip = false
    var entityTag = EntityTagChoice.derived
    /// Seconds since 1970.
    var lastModified: Int64?

    // How its bytes are framed.
    var framing = Framing.declared
    /// A Content-Length that replaces the true one.
    var declaredLength: [UInt8]?
    /// Bytes after the end of the body.
    var extraBytes: Int64 = 0
    /// The position of a byte of the file that is sent wrong.
    var wrongByte: Int64?
    /// A chunked body stops without its last chunk.
    var hasNoEnd = false
    /// A Content-Range that replaces the true one of a 206.
    var contentRange: [UInt8]?
    var ranges = RangeBehaviour.honest
    /// Answers as HTTP/1.0.
    var isOld = false

    // When they are sent.
    var latency: Duration = .zero
    /// Bytes per second.
    var rate: Int64?
    /// As `rate`, for the first request of the key only.
    var rateFirst: Int64?
    var stallAt: Int64?
    /// As `stallAt`, for the first request of the key only.
    var stallFirst: Int64?
    /// How long a stall lasts; `nil` is for ever.
    var stallFor: Duration?

    // Where the body is cut.
    var drop: Int64?
    /// As `drop`, for the first request of the key only.
    var dropFirst: Int64?
    /// A cut ends the connection with a RST instead of a FIN.
    var resets = false

    // What is answered instead of the file.
    /// Successive requests get these in turn, the last for ever; empty means 200.
    var answers: [Answer] = []
    var retryAfter: RetryAfter?
    /// Length of the body of an error.
    var errorBody: Int64?
    /// Number of redirects to this same path before the file.
    var hops = 0
    /// Where the last redirect leads instead of to the file.
    var destination: [UInt8]?
    var redirectCode = 302
    var credentials: BasicCredentials?
    /// How many requests with the same `limitKey` may be answered at a time; a further one gets `limitStatus`.
    var limit: Int?
    var limitStatus = 503
    var limitKey: String

    // What the head contains.
    var contentType = Array("application/octet-stream".utf8)
    var disposition: [UInt8]?
    /// Whole lines, sent byte for byte.
    var extraHeaders: [[UInt8]] = []
    /// Bytes of filler lines in the head.
    var flood: Int64 = 0
    /// Statuses of heads that come before the answer: 103, 100.
    var interim: [Int] = []
    /// From this GET request on, counted from 1, an HTML page is served instead of the file.
    var pageFrom: Int?
    var tickets = Tickets.none
    var isDigestLogin = false
    /// Whole lines after the last chunk.
    var trailers: [[UInt8]] = []
    /// Number of header lines without a meaning, `X-Filler-N`.
    var filler = 0
    /// Number of 103 responses before the final one.
    var hints = 0

    // What is answered to HEAD.
    var headAnswer: Answer?
    var headLength: Int64?
    var headDelay: Duration = .zero

    enum Framing: Equatable, Sendable { case declared, chunked, untilClose }

    enum RangeBehaviour: Equatable, Sendable {
        case honest
        /// Every answer is a 200.
        case ignored
        /// A 206 whose range begins one byte away from the requested position.
        case shifted
        /// If-Range is ignored: the part is sent although the file has changed.
        case careless
        /// As careless, and a 206 names neither ETag nor Last-Modified.
        case bare
        /// Every second request is answered with the whole file.
        case alternate
        /// A 206 with the content type of several ranges, `multipart/byteranges`.
        case multipart
        /// A 416 to every request for a part.
        case refused
    }

    /// Links that are valid for one request.
    enum Tickets: Equatable, Sendable {
        case none
        /// The request is answered with a redirect to a new link.
        case wanted
        case shown(Int)
    }

    enum Answer: Equatable, Sendable {
        case status(Int)
        /// The connection ends before any byte of an answer.
        case close, reset
    }

    enum RetryAfter: Equatable, Sendable {
        case seconds(Int64)
        /// An HTTP date this many seconds after the time of the answer; may be negative.
        case date(ahead: Int64)
    }

    enum EntityTagChoice: Equatable, Sendable {
        /// Strong, made of seed, version and size.
        case derived
        case strong(String), weak(String), none
    }
}
