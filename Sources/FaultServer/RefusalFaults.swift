/// Faults that are answered instead of the file: statuses, closed connections, logins, limits and redirects.
extension FaultOptions {
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
    static func retryAfter(_ option: OptionText) throws(FaultServerFailure) -> RetryAfter {
        let isDate = option.text.hasPrefix("date:")
        // A million days either way: the sum with the present time does not overflow, and `DateField` has a text for it.
        let believable = Int64(-86_400_000_000)...86_400_000_000
        guard let seconds = Int64(isDate ? option.text.dropFirst(5) : option.text[...]), believable.contains(seconds)
        else { throw option.failure }
        return isDate ? .date(ahead: seconds) : .seconds(seconds)
    }
}

extension ResponsePlan {
    static func answer(_ behaviour: FaultOptions, isHead: Bool, _ visit: Visit) -> FaultOptions.Answer {
        if isHead, let answer = behaviour.headAnswer { return answer }
        guard let last = behaviour.answers.indices.last else { return .status(200) }
        return behaviour.answers[min(visit.number - 1, last)]
    }

    /// - Parameter busy: responses now running under the same limit key, without this one.
    /// - Returns: `nil` when the request passes.
    static func gate(_ request: ReceivedRequest, _ behaviour: FaultOptions, busy: Int, now: Int64) -> ResponsePlan? {
        guard request.method == "GET" || request.isHead else {
            return text(405, "only GET and HEAD", for: request, now: now)
        }
        return refusal(request, behaviour, busy: busy, now: now)
    }

    /// As `gate`, for any method.
    static func refusal(_ request: ReceivedRequest, _ behaviour: FaultOptions, busy: Int, now: Int64) -> ResponsePlan? {
        if let limit = behaviour.limit, busy >= limit {
            return failure(behaviour.limitStatus, request, behaviour, now: now)
        }
        if let credentials = behaviour.credentials, !credentials.match(request, isDigest: behaviour.isDigestLogin) {
            return failure(401, request, behaviour, now: now)
        }
        if let location = location(request, behaviour) {
            var head = ResponseFields(status: behaviour.redirectCode, now: now)
            head.add("Location", location)
            behaviour.extraHeaders.forEach { head.add(line: $0) }
            return short(head, body: errorText(behaviour.redirectCode, behaviour), for: request)
                .delayed(by: behaviour.latency)
        }
        return nil
    }

    /// A link that is valid for one request, like a signed URL that expires.
    ///
    /// - Returns: `nil` when the request passes.
    static func ticket(
        _ request: ReceivedRequest, _ behaviour: FaultOptions, _ history: inout RequestHistory, now: Int64
    ) -> ResponsePlan? {
        switch behaviour.tickets {
        case .none: return nil
        case .wanted:
            let target = RequestTarget(request.target)
            let number = history.newTicket(behaviour.key)
            let kept = target.options.map { $0.name == "ticket" ? "ticket=\(number)" : $0.raw }
            var head = ResponseFields(status: behaviour.redirectCode, now: now)
            head.add("Location", target.path + "?" + kept.joined(separator: "&"))
            return short(head, body: errorText(behaviour.redirectCode, behaviour), for: request)
        case .shown(let number):
            if history.useTicket(number, behaviour.key) { return nil }
            return failure(403, request, behaviour, now: now)
        }
    }

    /// An error response with the fields that belong to its status.
    static func failure(_ status: Int, _ request: ReceivedRequest, _ behaviour: FaultOptions, now: Int64)
        -> ResponsePlan
    {
        var head = ResponseFields(status: status, now: now)
        head.add("Content-Type", "text/plain; charset=utf-8")
        if status == 401 {
            head.add(
                "WWW-Authenticate", behaviour.isDigestLogin ? DigestLogin.challenge : "Basic realm=\"fault server\"")
        }
        if status >= 400 {
            switch behaviour.retryAfter {
            case .seconds(let seconds): head.add("Retry-After", String(seconds))
            case .date(let ahead): head.add("Retry-After", DateField.text(now + ahead))
            case nil: break
            }
        }
        behaviour.extraHeaders.forEach { head.add(line: $0) }
        return short(head, body: errorText(status, behaviour), for: request).delayed(by: behaviour.latency)
    }

    private static func errorText(_ status: Int, _ behaviour: FaultOptions) -> [UInt8] {
        let text = Array("This is the body of a \(status), not of the file.\n".utf8)
        guard let count = behaviour.errorBody else { return text }
        var body = text
        while body.count < min(count, longestErrorBody) { body += body }
        return Array(body.prefix(Int(min(count, longestErrorBody))))
    }

    /// 64 MiB: an error body is made whole in memory, and no test needs a longer one.
    private static let longestErrorBody: Int64 = 64 << 20

    private static func location(_ request: ReceivedRequest, _ behaviour: FaultOptions) -> [UInt8]? {
        // With a destination the last redirect leads there; `redirectto` without `redirect=N` is one redirect.
        if let destination = behaviour.destination, behaviour.hops <= 1 { return destination }
        guard behaviour.hops > 0 else { return nil }
        let target = RequestTarget(request.target)
        let left = behaviour.hops - 1
        let kept = target.options.compactMap { option in
            option.name == "redirect" ? (left == 0 ? nil : "redirect=\(left)") : option.raw
        }
        return Array((kept.isEmpty ? target.path : target.path + "?" + kept.joined(separator: "&")).utf8)
    }
}
