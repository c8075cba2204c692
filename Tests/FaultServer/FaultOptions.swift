/// How one file is to be served or one upload received, as its URL asks.
///
/// What each option means stands where it is read, and `--help` shows the same text.
struct FaultOptions: Equatable, Sendable {
    /// The path: requests with the same key share counters: the status sequence, the version, the first drop.
    let key: String

    // What a file holds.
    var seed: UInt64
    var size: Int64 = 64 << 10
    var changesEvery: Int64?
    var versions = Int64.max
    /// Bytes that each change adds; may be negative.
    var growth: Int64 = 0
    var entityTag = EntityTagChoice.derived
    /// Seconds since 1970.
    var lastModified: Int64?

    // How it is framed.
    var framing = Framing.declared
    var declaredLength: [UInt8]?
    var extraBytes: Int64 = 0
    var wrongByte: Int64?
    var hasNoEnd = false
    var trailers: [[UInt8]] = []
    var contentRange: [UInt8]?
    var ranges = RangeBehaviour.honest
    var rangeStatus: Int?
    /// Answers as HTTP/1.0.
    var isOld = false
    var contentType = Array("application/octet-stream".utf8)
    var disposition: [UInt8]?
    var fillerLines: Int64 = 0
    var headLength: Int64?
    var headDelay: Duration = .zero
    var pageFrom: Int64?
    /// Where the path leads in a generated tree; `nil` outside one.
    var place: FolderSite.Place?
    /// Instead of the version that the requests so far give.
    var fixedVersion: Int?

    // When bytes come.
    var latency: Duration = .zero
    var pace = Pace()
    /// Replaces what it names of `pace` on the first request.
    var firstPace = Pace()
    /// How long a stall lasts; `nil` is for ever.
    var stallFor: Duration?
    /// A cut ends the connection with a RST instead of a FIN.
    var resets = false

    // What is answered.
    var interim: [Int] = []
    var answers: [Answer] = []
    var headAnswers: [Answer] = []
    var retryAfter: Int64?
    var errorBody: Int64?
    /// Whole lines, sent byte for byte.
    var extraHeaders: [[UInt8]] = []
    /// Number of redirects to this same path before the file.
    var hops: Int64 = 0
    var destination: [UInt8]?
    var redirectCode = 302
    var credentials: BasicCredentials?
    var isDigestLogin = false
    var limit: Int64?
    var limitStatus = 503
    var limitKey: String

    // How an upload is received.
    /// `nil`: after the body when it is accepted, and before it when it is refused.
    var answerPoint: AnswerPoint?
    /// `nil`: as a server does that follows RFC 9110, section 10.1.1.
    var afterEarlyAnswer: AfterEarlyAnswer?
    var sendsContinue = true
    /// Answers a request that has `Expect`.
    var expectRefusal: Int?
    var needsLength = false
    var replyLength: Int64?
    var location: [UInt8]?
    var progressEvery: Int64?
    var window: Int64?

    // What a tus server does besides.
    var creationAnswers: [Answer] = []
    var loseAt: Int64?
    var headOffset: Int64?
    var patchOffset: Int64?
    var longest: Int64?
    var keepsWholeOnly = false
    var hasNoTus = false

    enum Framing: Equatable, Sendable { case declared, chunked, untilClose }

    enum RangeBehaviour: String, Sendable {
        case honest, off, lie, careless, bare, alternate, multipart, refuse, ok, unmarked
    }

    enum EntityTagChoice: Equatable, Sendable {
        /// Strong, made of seed, version and size.
        case derived
        case strong(String), weak(String), none
    }

    struct Pace: Equatable, Sendable {
        /// Bytes per second; `nil` is as fast as the other side allows.
        var rate: Int64?
        /// Positions in the body.
        var stallAt: Int64?
        var drop: Int64?
    }

    enum Answer: Equatable, Sendable {
        case status(Int)
        /// The connection ends before any byte of an answer.
        case close, reset
    }

    enum AnswerPoint: Equatable, Sendable {
        /// After this many bytes of the body, or at its end if that comes first.
        case after(Int64)
        case end, never
    }

    /// What follows on an answer that was sent before the body was read.
    enum AfterEarlyAnswer: String, Sendable {
        /// The rest is read and the connection kept.
        case drain
        /// The answer says `Connection: close`; its direction is closed, and what still arrives is dropped for 2 s.
        case close
        /// The connection is closed at once. The client may lose the answer to the RST that unread bytes cause.
        case cut
    }

    init(key: String, name: String) {
        self.key = key
        self.limitKey = key
        self.seed = SeededContent.seed(of: name)
    }

    /// - Returns: `nil` when the path is neither `/f/NAME` nor that of a tree or an upload.
    init?(_ target: RequestTarget) throws(FaultServerFailure) {
        if let target = TreeTarget(target) {
            self.init(key: target.key, name: target.key)
            try readTree(target)
            return
        }
        var table = QueryOptions(target.options)
        if let name = target.fileName {
            self.init(key: "/f/" + name, name: name)
            try readFile(&table)
        } else if let path = target.uploadPath {
            self.init(key: path, name: path)
            try readUpload(&table)
        } else {
            return nil
        }
        try readShared(&table)
        try table.refuseUnknown()
    }

    func pace(on visit: Visit) -> Pace {
        guard visit.number == 1 else { return pace }
        return Pace(
            rate: firstPace.rate ?? pace.rate, stallAt: firstPace.stallAt ?? pace.stallAt,
            drop: firstPace.drop ?? pace.drop)
    }
}

extension [FaultOptions.Answer] {
    /// - Parameter number: of the request, counted from 1. The last answer is repeated for ever.
    func inTurn(_ number: Int) -> FaultOptions.Answer? { isEmpty ? nil : self[Swift.min(number, count) - 1] }
}

/// The options: name, a typical value, meaning.
extension FaultOptions {
    static let fileHelp = help { (options, table) in try options.readFile(&table) }
    static let sharedHelp = help { (options, table) in try options.readShared(&table) }
    static let treeHelp = help { (_, table) in
        var site = FolderSite()
        try site.read(&table)
    }
    static let uploadHelp = help { (options, table) in try options.readUpload(&table) }

    private static func help(_ read: (inout FaultOptions, inout QueryOptions) throws -> Void) -> [String] {
        var options = FaultOptions(key: "", name: "")
        var table = QueryOptions(nil)
        // Without a URL no value can be wrong.
        try? read(&options, &table)
        return table.help ?? []
    }

    private mutating func readFile(_ table: inout QueryOptions) throws(FaultServerFailure) {
        table.group("What a file holds:")
        size = try table.last("size", "3M", "bytes, with K, M or G (64K)")?.count() ?? size
        if let option = table.last("seed", "7", "other content than the name's own") {
            guard let number = UInt64(option.text) else { throw option.failure }
            seed = number
        }
        changesEvery = try table.last("change", "2", "another file after every 2 requests")?.count(from: 1)
        versions = try table.last("versions", "2", "so many files at most")?.count(from: 1) ?? versions
        growth = try table.last("grow", "1K", "longer by so much at each change")?.count() ?? 0
        growth -= try table.last("shrink", "1K", "or shorter")?.count() ?? 0
        contentType = table.last("type", "text/plain", "Content-Type")?.bytes ?? contentType
        if let option = table.last("etag", "v1", "this ETag") { entityTag = .strong(option.text) }
        if let option = table.last("weaketag", "v1", "a weak one") { entityTag = .weak(option.text) }
        if table.flag("noetag", "none") { entityTag = .none }
        lastModified = try table.last("lastmodified", "0", "seconds since 1970")?.count()
        disposition = table.last("disposition", "inline", "Content-Disposition, any bytes")?.bytes
        fillerLines = min(
            try table.last("lines", "5000", "so many header lines that mean nothing")?.count() ?? 0, 1_000_000)
        table.group("How it is framed:")
        if table.flag("chunked", "in chunks, no length") { framing = .chunked }
        if table.flag("nolength", "until the connection closes") { framing = .untilClose }
        noteLength(table.last("length", "5M", "a false Content-Length: a number or any bytes"))
        extraBytes = try table.last("extra", "10", "bytes after the end")?.count() ?? 0
        wrongByte = try table.last("wrongbyte", "1M", "the byte there is wrong")?.count()
        hasNoEnd = table.flag("noend", "chunked, without the last chunk")
        trailers = table.all("trailer", "X-A:%20b", "a line after the last chunk").map(\.bytes)
        let lies = "refuse: 416; lie: starts a byte early; alternate: every second Range; multipart: that form of 206"
        let careless = "careless: ignores If-Range; bare: and a 206 names no version"
        let whole = "ok: parts with status 200; unmarked: and without Content-Range"
        ranges = try table.last("ranges", "off", "no ranges; \(careless); \(lies); \(whole)")?.choice() ?? ranges
        rangeStatus = try table.last("rangestatus", "404", "this status for every request with a Range")?.status()
        contentRange = table.last("contentrange", "bytes%20x", "any bytes for Content-Range")?.bytes
        isOld = table.flag("http10", "answers as HTTP/1.0")
        table.group("What else is answered:")
        pageFrom = try table.last("page", "2", "a page of HTML from the 2nd request on")?.count()
        headLength = try table.last("headlength", "9M", "another length for HEAD")?.count()
        headDelay = try table.last("headdelay", "2", "seconds more before the answer to HEAD")?.seconds() ?? headDelay
    }

    private mutating func readTree(_ target: TreeTarget) throws(FaultServerFailure) {
        var table = QueryOptions(target.options)
        var site = FolderSite()
        try site.read(&table)
        let plain = self
        try readShared(&table)
        try table.refuseUnknown()
        // The next hop could not be told from this one: its path would be the same.
        guard hops == 0 else { throw .badValue(option: "redirect", value: String(hops)) }
        if let only = site.only, !target.matches(only) { self = plain }
        let place = site.place(target)
        self.place = place
        guard case .file(let folder, let entry) = place else { return }
        (size, seed) = (site.size, folder.seed(of: entry))
        lastModified = entry.time
        entityTag = site.hasTags ? .strong(folder.tag(of: entry)) : .none
        if let port = site.otherPort, entry.name == FolderSite.movedName {
            destination = Array("http://127.0.0.1:\(port)/f/moved.bin".utf8)
        }
    }

    private mutating func noteLength(_ option: OptionText?) {
        guard let option else { return }
        declaredLength = option.bytes
        if let number = try? option.count() { declaredLength = Array(String(number).utf8) }
    }

    private mutating func readShared(_ table: inout QueryOptions) throws(FaultServerFailure) {
        table.group("When bytes come, of a file or of an upload:")
        latency = try table.last("latency", "0.5", "seconds before the answer")?.seconds() ?? latency
        pace.rate = try table.last("rate", "1M", "bytes a second")?.count(from: 1)
        firstPace.rate = try table.last("ratefirst", "1K", "on the first request only")?.count(from: 1)
        pace.stallAt = try table.last("stall", "1M", "stops there for ever")?.count()
        firstPace.stallAt = try table.last("stallfirst", "1M", "on the first request only")?.count()
        stallFor = try table.last("stallfor", "8", "or for so many seconds")?.seconds()
        pace.drop = try table.last("drop", "1M", "breaks off there")?.count()
        firstPace.drop = try table.last("dropfirst", "1M", "on the first request only")?.count()
        resets = table.flag("reset", "breaks with RST instead of FIN")
        table.group("What is answered to either:")
        if let option = table.last("interim", "103,100", "heads before the answer") {
            for answer in try option.answers() {
                guard case .status(let code) = answer, (100...199).contains(code) else { throw option.failure }
                interim.append(code)
            }
        }
        answers = try table.last("status", "503,close,200", "in turn, the last for ever; also reset")?.answers() ?? []
        headAnswers = try table.last("head", "405,200", "the same for HEAD")?.answers() ?? []
        retryAfter = try table.last("retryafter", "4", "Retry-After, in seconds")?.count()
        errorBody = try table.last("errbody", "1K", "length of an error's body")?.count()
        for option in table.all("header", "X-A:%20b", "one more header line, byte for byte") {
            guard option.bytes.contains(UInt8(ascii: ":")) else { throw option.failure }
            extraHeaders.append(option.bytes)
        }
        hops = try table.last("redirect", "3", "so many redirects first")?.count() ?? 0
        destination = table.last("redirectto", "http://h/", "where the last one leads")?.bytes
        redirectCode = try table.last("redirectcode", "301", "302 unless given")?.status() ?? redirectCode
        let user = table.last("user", "alice", "wants this login")?.text
        let password = table.last("pass", "secret", "and this password")?.text
        if user != nil || password != nil {
            credentials = BasicCredentials(user: user ?? "", password: password ?? "")
        }
        isDigestLogin = table.flag("digest", "by the Digest scheme")
        limit = try table.last("limit", "2", "503 for more than 2 at once")?.count()
        limitStatus = try table.last("limitcode", "429", "or this status")?.status() ?? limitStatus
        limitKey = table.last("limitkey", "disk", "counted together under this name")?.text ?? limitKey
    }

    private mutating func readUpload(_ table: inout QueryOptions) throws(FaultServerFailure) {
        table.group("How an upload is received:")
        window = try table.last("window", "64K", "so many bytes wait in the kernel at most, about")?.count(from: 1)
        if let option = table.last("expect", "off", "sends no 100; on: sends it; 417: refuses who asks for it") {
            if !["on", "off"].contains(option.text) { expectRefusal = try option.status() }
            sendsContinue = option.text == "on"
        }
        progressEvery = try table.last("progress", "64K", "a 104 each time so much has been read")?.count(from: 1)
        if let option = table.last("answerat", "64K", "after so many bytes of the body, end or never") {
            switch option.text {
            case "end": answerPoint = .end
            case "never": answerPoint = .never
            default: answerPoint = .after(try option.count())
            }
        }
        afterEarlyAnswer = try table.last("then", "close", "after an early answer; also cut, drain")?.choice()
        replyLength = try table.last("reply", "1G", "length of the answer's body when accepted")?.count()
        location = table.last("location", "/up/x", "when accepted; for tus also path, relative")?.bytes
        needsLength = table.flag("needlength", "411 for a chunked body")
        table.group("What a tus server does besides: uploads are created at /tus, status and drop are for PATCH:")
        creationAnswers = try table.last("create", "503,201", "answers to the creation in turn")?.answers() ?? []
        loseAt = try table.last("lose", "1M", "the upload is gone once it has so much")?.count()
        headOffset = try table.last("headoffset", "5", "a false Upload-Offset for HEAD")?.count()
        patchOffset = try table.last("patchoffset", "5", "and for PATCH")?.count()
        longest = try table.last("maxsize", "1G", "longer uploads are refused")?.count()
        keepsWholeOnly = table.flag("keepwhole", "a PATCH that was cut leaves nothing")
        hasNoTus = table.flag("notus", "a server without tus")
    }
}
