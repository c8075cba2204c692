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
        case "key": key = option.text
        case "user": credentials = BasicCredentials(user: option.text, password: credentials?.password ?? "")
        case "pass": credentials = BasicCredentials(user: credentials?.user ?? "", password: option.text)
        case "limitkey": limitKey = option.text
        default:
            if try readContent(option) { return true }
            if try readTiming(option) { return true }
            if try readAnswer(option) { return true }
            return try readHead(option)
        }
        return true
    }

    private mutating func readContent(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "size": size = try option.count()
        case "seed": seed = UInt64(option.text) ?? SeededContent.seed(of: option.text)
        case "change": changesEvery = max(1, Int(try option.count()))
        case "versions": versions = max(1, Int(try option.count()))
        case "grow": growth = try option.count()
        case "shrink": growth = -(try option.count())
        case "gzip": isGzip = true
        case "etag": entityTag = .strong(option.text)
        case "weaketag": entityTag = .weak(option.text)
        case "noetag": entityTag = .none
        case "lastmodified": lastModified = try option.count()
        case "chunked": framing = .chunked
        case "nolength": framing = .untilClose
        case "http10": isOld = true
        case "length": declaredLength = Array(String(try option.count()).utf8)
        case "lengthraw": declaredLength = option.bytes
        case "extra": extraBytes = try option.count()
        case "wrongbyte": wrongByte = try option.count()
        case "noend": hasNoEnd = true
        case "contentrange": contentRange = option.bytes
        case "ranges":
            switch option.text {
            case "on": ranges = .honest
            case "off": ranges = .ignored
            case "lie": ranges = .shifted
            case "careless": ranges = .careless
            case "bare": ranges = .bare
            case "alternate": ranges = .alternate
            case "multipart": ranges = .multipart
            case "refuse": ranges = .refused
            default: throw option.failure
            }
        default: return false
        }
        return true
    }

    private mutating func readTiming(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
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
        default: return false
        }
        return true
    }

    private mutating func readAnswer(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "status": answers = try Self.answers(option)
        case "head": headAnswer = try Self.answers(option).first
        case "retryafter": retryAfter = try Self.retryAfter(option)
        case "errbody": errorBody = try option.count()
        case "redirect": hops = Int(try option.count())
        case "redirectto": destination = option.bytes
        case "redirectcode": redirectCode = try option.status()
        case "limit": limit = Int(try option.count())
        case "page": pageFrom = Int(try option.count())
        case "ticket": tickets = option.text.isEmpty ? .wanted : .shown(Int(try option.count()))
        case "digest": isDigestLogin = true
        default: return false
        }
        return true
    }

    private mutating func readHead(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "type": contentType = option.bytes
        case "disposition": disposition = option.bytes
        case "header":
            guard option.bytes.contains(UInt8(ascii: ":")) else { throw option.failure }
            extraHeaders.append(option.bytes)
        case "trailer": trailers.append(option.bytes)
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

    /// `503,close,200`.
    static func answers(_ option: OptionText) throws(FaultServerFailure) -> [Answer] {
        var answers: [Answer] = []
        for word in option.text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "close": answers.append(.close)
            case "reset": answers.append(.reset)
            default:
                guard let code = Int(word), (100...999).contains(code) else { throw option.failure }
                answers.append(.status(code))
            }
        }
        return answers
    }

    /// `30` or `date:30`; a date may lie in the past.
    private static func retryAfter(_ option: OptionText) throws(FaultServerFailure) -> RetryAfter {
        let isDate = option.text.hasPrefix("date:")
        // A million days either way: the sum with the present time does not overflow, and `DateField` has a text for it.
        let believable = Int64(-86_400_000_000)...86_400_000_000
        guard let seconds = Int64(isDate ? option.text.dropFirst(5) : option.text[...]), believable.contains(seconds)
        else { throw option.failure }
        return isDate ? .date(ahead: seconds) : .seconds(seconds)
    }
}
