/// Faults of the content: versions of the file, its validators, and a page in its place.
extension FaultOptions {
    mutating func readContent(_ option: OptionText) throws(FaultServerFailure) -> Bool {
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
        default: return false
        }
        return true
    }

    /// The version of the file that a request gets, counted from 0.
    func version(_ visit: Visit) -> Int {
        let changes = changesEvery.map { visit.earlierGets / $0 } ?? 0
        return min(changes, versions - 1)
    }
}

extension ResponsePlan {
    /// An HTML login page instead of the file, as a captive portal or an expired session sends it.
    static func page(for request: ReceivedRequest, now: Int64) -> ResponsePlan {
        var head = ResponseFields(status: 200, now: now)
        head.add("Content-Type", "text/html; charset=utf-8")
        let text = "<!DOCTYPE html><html><title>Log in</title><body>Please log in to go on.</body></html>\n"
        return short(head, body: Array(text.utf8), for: request)
    }
}
