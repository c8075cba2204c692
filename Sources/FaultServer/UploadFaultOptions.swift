/// How one upload is to be received, as its URL asks: `/up/FOLDER/NAME?rate=1M&drop=3M`.
struct UploadFaultOptions: Equatable, Sendable {
    /// The options that mean for the answer to an upload, and for reading its body, what they mean for a download.
    var shared: FaultOptions
    /// When the request is answered; `nil`: after the body when it is accepted, and before it when it is refused.
    var answerPoint: UploadBodyPlan.AnswerPoint?
    /// `nil`: as a server does that follows RFC 9110, section 10.1.1.
    var afterEarlyAnswer: UploadBodyPlan.AfterEarlyAnswer?
    /// Whether a 100 is sent when the client asks for it.
    var sendsContinue = true
    var continueDelay: Duration = .zero
    /// A chunked body is refused with 411.
    var needsLength = false
    /// Length of the answer's body.
    var replyLength: Int64?
    var location: [UInt8]?
    var progressEvery: Int64?
    var window: Int64?
    /// Missing folders are made.
    var makesFolders = false
    var tus = TusFaultOptions()

    init(key: String) { shared = FaultOptions(key: key, name: key) }

    /// - Returns: `nil` when the path is not below `/up` or `/tus`.
    /// - Throws: `.unknownOption`, `.badValue`, as `FaultOptions` does.
    init?(_ target: RequestTarget) throws(FaultServerFailure) {
        guard let path = target.uploadPath else { return nil }
        self.init(key: path)
        for option in target.options {
            if try read(option) { continue }
            if try tus.read(option) { continue }
            guard Self.sharedNames.contains(option.name), try shared.read(option) else {
                throw .unknownOption(option.name)
            }
        }
    }

    private static let sharedNames: Set = [
        "user", "pass", "digest", "limit", "limitcode", "limitkey", "latency", "rate", "ratefirst", "stall",
        "stallfirst", "stallfor", "drop", "dropfirst", "reset", "status", "retryafter", "errbody", "redirect",
        "redirectto", "redirectcode", "header", "interim",
    ]

    private mutating func read(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "answerat":
            switch option.text {
            case "end": answerPoint = .end
            case "never": answerPoint = .never
            default: answerPoint = .after(try option.count())
            }
        case "then":
            switch option.text {
            case "close": afterEarlyAnswer = .close
            case "cut": afterEarlyAnswer = .cut
            default: throw option.failure
            }
        case "expect":
            switch option.text {
            case "on": sendsContinue = true
            case "off": sendsContinue = false
            default: throw option.failure
            }
        case "expectdelay": continueDelay = try option.seconds()
        case "needlength": needsLength = true
        case "reply": replyLength = try option.count()
        case "location": location = option.bytes
        case "progress": progressEvery = max(1, try option.count())
        case "window": window = max(1, min(try option.count(), 1 << 30))
        case "makefolders": makesFolders = true
        default: return false
        }
        return true
    }

    /// - Parameters:
    ///   - visit: `nil` for a request that is refused before it counts.
    ///   - isRefused: the body is not wanted.
    func plan(_ request: ReceivedRequest, _ visit: Visit?, isRefused: Bool) -> UploadBodyPlan {
        var plan = UploadBodyPlan(length: request.declaredLength, interim: shared.interim)
        plan.answerPoint = answerPoint ?? (isRefused ? .after(0) : .end)
        // A client that was refused instead of getting its 100 does not send the body: what follows on the connection could
        // not be told from one.
        let isUnasked = request.expectsContinue && plan.answerPoint == .after(0)
        plan.afterEarlyAnswer = afterEarlyAnswer ?? (isUnasked ? .close : .drain)
        plan.interimDelay = continueDelay
        plan.window = window
        plan.resets = shared.resets
        plan.rate = visit?.number == 1 ? shared.rateFirst ?? shared.rate : shared.rate
        if let visit {
            plan.drop = visit.number == 1 ? shared.dropFirst ?? shared.drop : shared.drop
            plan.stallAt = visit.number == 1 ? shared.stallFirst ?? shared.stallAt : shared.stallAt
            plan.stallFor = shared.stallFor
            plan.progressEvery = progressEvery
        }
        if request.expectsContinue, sendsContinue, plan.answerPoint != .after(0) { plan.interim.append(100) }
        return plan
    }
}

extension RequestTarget {
    /// The decoded path of an upload; `nil` for any other path.
    var uploadPath: String? {
        let decoded = String(decoding: Percent.decoded(path), as: UTF8.self)
        return UploadTree.contains(decoded) || TusStore.contains(decoded) ? decoded : nil
    }
}

extension ReceivedRequest {
    /// Content-Length, or 0 without a body; `nil` for a chunked one.
    var declaredLength: Int64? {
        if header("Transfer-Encoding") != nil { return nil }
        return header("Content-Length").flatMap { Int64($0) } ?? 0
    }
}
