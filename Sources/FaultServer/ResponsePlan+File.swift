/// The file itself, whole or in part, with its faults in the order of their effect.
extension ResponsePlan {
    static func file(
        _ request: ReceivedRequest, _ behaviour: FaultOptions, visit: Visit, now: Int64
    ) -> ResponsePlan {
        let latency = behaviour.latency + (request.isHead ? behaviour.headDelay : .zero)
        switch answer(behaviour, isHead: request.isHead, visit) {
        case .close: return silence(.close).delayed(by: latency)
        case .reset: return silence(.reset).delayed(by: latency)
        case .status(let code) where !(200...299).contains(code) || code == 204:
            return failure(code, request, behaviour, now: now)
        case .status(let code):
            let representation = Representation(behaviour, version: behaviour.version(visit))
            if let page = behaviour.pageFrom, visit.number >= page, !request.isHead {
                return self.page(for: request, now: now).delayed(by: latency)
            }
            var plan = file(representation, code, request, behaviour, visit, now: now)
            plan.addInterimHeads(behaviour)
            return plan.delayed(by: latency)
        }
    }

    private static func file(
        _ file: Representation, _ status: Int, _ request: ReceivedRequest, _ behaviour: FaultOptions, _ visit: Visit,
        now: Int64
    ) -> ResponsePlan {
        var head = ResponseFields(status: status, now: now)
        if behaviour.isOld { head.version = "1.0" }
        let size = file.source.count
        let range = Self.range(request, behaviour, file, visit)
        var isPart = false
        if case .part = range { isPart = true }
        let type = Array("multipart/byteranges; boundary=x".utf8)
        head.add("Content-Type", isPart && behaviour.ranges == .multipart ? type : behaviour.contentType)
        if !isPart || behaviour.ranges != .bare {
            if let tag = file.entityTag { head.add("ETag", tag) }
            if let date = file.lastModified { head.add("Last-Modified", date) }
        }
        if behaviour.ranges != .ignored { head.add("Accept-Ranges", "bytes") }
        head.addFaults(behaviour)

        if let condition = request.header("If-None-Match"), file.matches(ifNoneMatch: condition) {
            head.status = 304
            return short(head, body: [], for: request)
        }
        if let condition = request.header("If-Modified-Since"), request.header("If-None-Match") == nil,
            file.matches(ifModifiedSince: condition)
        {
            head.status = 304
            return short(head, body: [], for: request)
        }
        switch range {
        case .whole:
            return served(file.source, head, request, behaviour, visit)
        case .part(let range):
            head.status = 206
            let told = Array("bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)".utf8)
            head.add("Content-Range", behaviour.contentRange ?? told)
            return served(file.source.slice(range), head, request, behaviour, visit)
        case .unsatisfiable:
            head.status = 416
            head.add("Content-Range", "bytes */\(size)")
            return short(head, body: [], for: request)
        }
    }
}
