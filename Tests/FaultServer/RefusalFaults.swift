/// Faults that are answered instead of the file: statuses, closed connections, logins, limits and redirects.
extension ResponsePlan {
    /// - Parameter busy: responses now running under the same limit key, without this one.
    /// - Returns: `nil` when the request passes.
    static func gate(_ request: ReceivedRequest, _ options: FaultOptions, busy: Int) -> ResponsePlan? {
        if let limit = options.limit, busy >= limit { return failure(options.limitStatus, request, options) }
        if let credentials = options.credentials, !credentials.match(request, isDigest: options.isDigestLogin) {
            return failure(401, request, options)
        }
        if let location = location(request, options) { return redirect(location, request, options) }
        return nil
    }

    /// - Returns: `nil` when the answer is one of success.
    static func refusal(_ answer: FaultOptions.Answer, _ request: ReceivedRequest, _ options: FaultOptions)
        -> ResponsePlan?
    {
        switch answer {
        case .close: ResponsePlan(status: 0, ending: .close).delayed(by: options.latency(of: request))
        case .reset: ResponsePlan(status: 0, ending: .reset).delayed(by: options.latency(of: request))
        case .status(let code): (200...299).contains(code) ? nil : failure(code, request, options)
        }
    }

    /// An error response with the fields that belong to its status.
    static func failure(_ status: Int, _ request: ReceivedRequest, _ options: FaultOptions) -> ResponsePlan {
        var head = ResponseFields(status: status, for: request)
        head.add("Content-Type", "text/plain; charset=utf-8")
        if status == 401 {
            head.add("WWW-Authenticate", options.isDigestLogin ? DigestLogin.challenge : "Basic realm=\"fault server\"")
        }
        if status >= 400, let seconds = options.retryAfter { head.add("Retry-After", String(seconds)) }
        return refused(head, request, options)
    }

    private static func redirect(_ location: [UInt8], _ request: ReceivedRequest, _ options: FaultOptions)
        -> ResponsePlan
    {
        var head = ResponseFields(status: options.redirectCode, for: request)
        head.add("Location", location)
        return refused(head, request, options)
    }

    private static func refused(_ head: ResponseFields, _ request: ReceivedRequest, _ options: FaultOptions)
        -> ResponsePlan
    {
        var head = head
        options.extraHeaders.forEach { head.add(line: $0) }
        var body = Array("This is the body of a \(head.status), not of the file.\n".utf8)
        if let length = options.errorBody {
            // 64 MiB: an error body is made whole in memory, and no test needs a longer one.
            let count = Int(min(length, 64 << 20))
            while body.count < count { body += body }
            body = Array(body.prefix(count))
        }
        return short(head, body: body, for: request).delayed(by: options.latency(of: request))
    }

    private static func location(_ request: ReceivedRequest, _ options: FaultOptions) -> [UInt8]? {
        // With a destination the last redirect leads there; `redirectto` without `redirect=N` is one redirect.
        if let destination = options.destination, options.hops <= 1 { return destination }
        guard options.hops > 0 else { return nil }
        let target = RequestTarget(request.target)
        let left = options.hops - 1
        let kept = target.options.compactMap { option in
            option.name == "redirect" ? (left == 0 ? nil : "redirect=\(left)") : option.raw
        }
        return Array(target.with(kept).utf8)
    }
}
