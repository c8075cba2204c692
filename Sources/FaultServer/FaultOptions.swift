/// How one file is to be served, as its URL asks.
struct FaultOptions: Equatable, Sendable {
    /// The path: requests with the same key share counters: the status sequence, the version, the first drop.
    let key: String

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

/// Reads the options of a URL.
extension FaultOptions {
    init(key: String, name: String) {
        self.key = key
        self.limitKey = key
        self.seed = SeededContent.seed(of: name)
    }

    /// - Returns: `nil` when the path is not `/f/NAME`.
    /// - Throws: `.unknownOption`, `.badValue`: a typing error in a batch file must not pass for an honest server.
    init?(_ target: RequestTarget) throws(FaultServerFailure) {
        guard let name = target.fileName else { return nil }
        self.init(key: "/f/" + name, name: name)
        for option in target.options {
            guard try read(option) else { throw .unknownOption(option.name) }
        }
    }

    /// - Returns: whether an option is called like that.
    mutating func read(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "user": credentials = BasicCredentials(user: option.text, password: credentials?.password ?? "")
        case "pass": credentials = BasicCredentials(user: credentials?.user ?? "", password: option.text)
        case "limitkey": limitKey = option.text
        // What the file holds.
        case "size": size = try option.count()
        case "seed":
            guard let number = UInt64(option.text) else { throw option.failure }
            seed = number
        case "change": changesEvery = max(1, Int(try option.count()))
        case "versions": versions = max(1, Int(try option.count()))
        case "grow": growth = try option.count()
        case "shrink": growth = -(try option.count())
        case "gzip": isGzip = true
        case "etag": entityTag = .strong(option.text)
        case "weaketag": entityTag = .weak(option.text)
        case "noetag": entityTag = .none
        case "lastmodified": lastModified = try option.count()
        // How its bytes are framed.
        case "chunked": framing = .chunked
        case "nolength": framing = .untilClose
        case "http10": isOld = true
        case "length": declaredLength = Array(String(try option.count()).utf8)
        case "lengthraw": declaredLength = option.bytes
        case "extra": extraBytes = try option.count()
        case "wrongbyte": wrongByte = try option.count()
        case "noend": hasNoEnd = true
        case "trailer": trailers.append(option.bytes)
        // What is answered to a request for a part.
        case "contentrange": contentRange = option.bytes
        case "ranges":
            switch option.text {
            case "off": ranges = .ignored
            case "lie": ranges = .shifted
            case "careless": ranges = .careless
            case "bare": ranges = .bare
            case "alternate": ranges = .alternate
            case "multipart": ranges = .multipart
            case "refuse": ranges = .refused
            default: throw option.failure
            }
        // When bytes come, and where they stop.
        case "latency": latency = try option.seconds()
        case "rate": rate = max(1, try option.count())
        case "ratefirst": rateFirst = max(1, try option.count())
        case "stall": stallAt = try option.count()
        case "stallfirst": stallFirst = try option.count()
        case "stallfor":
            stallFor = try option.seconds()
            stallAt = stallAt ?? 0
        case "drop": drop = try option.count()
        case "dropfirst": dropFirst = try option.count()
        case "reset": resets = true
        case "headdelay": headDelay = try option.seconds()
        // What is answered instead of the file.
        case "status": answers = try Self.answers(option)
        case "head": headAnswer = try Self.answers(option).first
        case "retryafter": retryAfter = try Self.retryAfter(option)
        case "errbody": errorBody = try option.count()
        case "redirect": hops = Int(try option.count())
        case "redirectto": destination = option.bytes
        case "redirectcode": redirectCode = try option.status()
        case "limit": limit = Int(try option.count())
        case "limitcode": limitStatus = try option.status()
        case "page": pageFrom = Int(try option.count())
        case "ticket": tickets = option.text.isEmpty ? .wanted : .shown(Int(try option.count()))
        case "digest": isDigestLogin = true
        // What the head contains.
        case "type": contentType = option.bytes
        case "disposition": disposition = option.bytes
        case "header":
            guard option.bytes.contains(UInt8(ascii: ":")) else { throw option.failure }
            extraHeaders.append(option.bytes)
        case "lines": filler = Int(min(try option.count(), 1_000_000))
        case "hints": hints = Int(min(try option.count(), 10_000))
        case "headlength": headLength = try option.count()
        case "flood": flood = try option.count()
        case "interim":
            interim = try Self.answers(option).compactMap { if case .status(let code) = $0 { code } else { nil } }
            guard interim.allSatisfy({ (100...199).contains($0) }) else { throw option.failure }
        default: return false
        }
        return true
    }
}
