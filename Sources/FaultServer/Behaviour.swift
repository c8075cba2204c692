/// How one file is to be served, as its URL asks.
struct Behaviour: Equatable, Sendable {
    /// Requests with the same key share counters: the status sequence, the version, the first drop.
    var key: String

    // What the file holds.
    var seed: UInt64
    var size: Int64 = 64 << 10
    /// Every so many requests the file is another one.
    var changesEvery: Int?
    /// So many different files at most.
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
    /// A chunked body stops without its last chunk.
    var hasNoEnd = false
    /// A Content-Range that replaces the true one of a 206.
    var contentRange: [UInt8]?
    var ranges = RangeManners.honest
    /// Answers as HTTP/1.0.
    var isOld = false

    // When they come.
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

    // Where they break off.
    var drop: Int64?
    /// As `drop`, for the first request of the key only.
    var dropFirst: Int64?
    /// Breaks are a RST instead of a FIN.
    var resets = false

    // What is answered instead.
    /// Successive requests get these in turn, the last for ever; empty means 200.
    var answers: [Answer] = []
    var retryAfter: RetryAfter?
    /// Length of the body of an error.
    var errorBody: Int64?
    /// Redirects over this same path before the file.
    var hops = 0
    /// Where the last redirect leads instead of to the file.
    var destination: [UInt8]?
    var redirectCode = 302
    var credentials: BasicCredentials?
    /// At most so many responses at once for all requests with the `limitKey`.
    var limit: Int?
    var limitKey: String

    // What stands in the head.
    var contentType = Array("application/octet-stream".utf8)
    var disposition: [UInt8]?
    /// Whole lines, sent byte for byte.
    var extraHeaders: [[UInt8]] = []
    /// Bytes of filler lines in the head.
    var flood: Int64 = 0
    /// Statuses of heads that come before the answer: 103, 100.
    var interim: [Int] = []
    /// From this request on a page of HTML is there instead of the file.
    var pageFrom: Int?
    var tickets = Tickets.none
    var isDigestLogin = false
    /// Whole lines after the last chunk.
    var trailers: [[UInt8]] = []
    /// Lines that mean nothing.
    var filler = 0
    /// Answers of 103 before the real one.
    var hints = 0

    // What HEAD is told.
    var headAnswer: Answer?
    var headLength: Int64?
    var headDelay: Duration = .zero

    enum Framing: Equatable, Sendable { case declared, chunked, untilClose }

    enum RangeManners: Equatable, Sendable {
        case honest
        /// Every answer is a 200.
        case ignored
        /// A 206 that begins one byte away from what was asked.
        case shifted
        /// If-Range counts for nothing.
        case careless
        /// As careless, and a 206 names neither ETag nor Last-Modified.
        case bare
        /// Every second request is answered with the whole.
        case alternate
        /// A 206 in the form that is meant for several ranges.
        case multipart
        /// A 416 to whatever part is asked for.
        case refused
    }

    /// Links that lead to the file once.
    enum Tickets: Equatable, Sendable {
        case none
        /// Answered with a redirect to a link of its own.
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
        /// An HTTP date so many seconds from the time of the answer.
        case date(ahead: Int64)
    }

    enum EntityTagChoice: Equatable, Sendable {
        /// Strong, made of seed, version and size.
        case derived
        case strong(String), weak(String), none
    }
}
