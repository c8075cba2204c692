/// The file itself, whole or in part, and its faults.
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
            let changes = behaviour.changesEvery.map { visit.earlierGets / $0 } ?? 0
            let version = min(changes, behaviour.versions - 1)
            let representation = Representation(behaviour, version: version)
            if let page = behaviour.pageFrom, visit.number >= page, !request.isHead {
                return self.page(for: request, now: now).delayed(by: latency)
            }
            var plan = file(representation, code, request, behaviour, visit, now: now)
            for status in behaviour.interim.reversed() {
                plan.steps.insert(
                    .raw(Array("HTTP/1.1 \(status) Wait\r\nLink: </style>; rel=preload\r\n\r\n".utf8)), at: 0)
            }
            return plan.delayed(by: latency)
        }
    }

    private static func answer(_ behaviour: FaultOptions, isHead: Bool, _ visit: Visit) -> FaultOptions.Answer {
        if isHead, let answer = behaviour.headAnswer { return answer }
        guard let last = behaviour.answers.indices.last else { return .status(200) }
        return behaviour.answers[min(visit.number - 1, last)]
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
        if let disposition = behaviour.disposition { head.add("Content-Disposition", disposition) }
        if behaviour.isGzip { head.add("Content-Encoding", "gzip") }
        behaviour.extraHeaders.forEach { head.add(line: $0) }
        head.add(filler: behaviour.flood)
        for number in 0..<behaviour.filler { head.add("X-Filler-\(number)", "x") }

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

    private static func range(
        _ request: ReceivedRequest, _ behaviour: FaultOptions, _ file: Representation, _ visit: Visit
    ) -> ByteRangeRequest {
        // Range is defined for GET alone (RFC 9110, section 14.2).
        guard behaviour.ranges != .ignored, !request.isHead else { return .whole }
        if behaviour.ranges == .alternate, visit.number.isMultiple(of: 2) { return .whole }
        let honoursIfRange = behaviour.ranges != .careless && behaviour.ranges != .bare
        if honoursIfRange, let condition = request.header("If-Range"), !file.matches(ifRange: condition) {
            return .whole
        }
        let size = file.source.count
        let range = ByteRangeRequest(request.header("Range"), size: size)
        if behaviour.ranges == .refused, range != .whole { return .unsatisfiable }
        guard behaviour.ranges == .shifted, case .part(let asked) = range else { return range }
        let start = asked.lowerBound > 0 ? asked.lowerBound - 1 : min(1, asked.upperBound - 1)
        return .part(start..<asked.upperBound)
    }

    /// An HTML login page instead of the file, as a captive portal or an expired session sends it.
    private static func page(for request: ReceivedRequest, now: Int64) -> ResponsePlan {
        var head = ResponseFields(status: 200, now: now)
        head.add("Content-Type", "text/html; charset=utf-8")
        let text = "<!DOCTYPE html><html><title>Log in</title><body>Please log in to go on.</body></html>\n"
        return short(head, body: Array(text.utf8), for: request)
    }

    /// Frames the body and adds its faults.
    private static func served(
        _ source: BodySource, _ head: ResponseFields, _ request: ReceivedRequest, _ behaviour: FaultOptions,
        _ visit: Visit
    ) -> ResponsePlan {
        var head = head
        var ending = request.isKeepAlive && !behaviour.isOld ? Ending.keepAlive : .close
        let breakOff = behaviour.resets ? Ending.reset : .close
        switch behaviour.framing {
        case .chunked:
            head.add("Transfer-Encoding", "chunked")
        case .untilClose:
            head.add("Connection", "close")
            ending = breakOff
        case .declared:
            let honest = Array(String(source.count).utf8)
            let declared = behaviour.declaredLength ?? honest
            head.add(
                "Content-Length",
                request.isHead ? behaviour.headLength.map { Array(String($0).utf8) } ?? declared : declared)
            if declared != honest { ending = breakOff }
        }
        let hints = [UInt8]("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".utf8)
        let first = (0..<behaviour.hints).flatMap { _ in hints }
        var plan = ResponsePlan(
            status: head.status, steps: [.raw(first + head.bytes)], ending: ending,
            rate: visit.number == 1 ? behaviour.rateFirst ?? behaviour.rate : behaviour.rate)
        if request.isHead {
            plan.ending = request.isKeepAlive ? .keepAlive : .close
            return plan
        }
        let isCut = plan.addBody(source, behaviour, isFirst: visit.number == 1, breakOff: breakOff)
        if isCut { return plan }
        if behaviour.framing == .chunked, behaviour.hasNoEnd {
            plan.ending = breakOff
            return plan
        }
        if behaviour.framing == .chunked {
            let trailers = behaviour.trailers.flatMap { $0 + Array("\r\n".utf8) }
            plan.steps.append(.raw(Array("0\r\n".utf8) + trailers + Array("\r\n".utf8)))
        }
        if behaviour.extraBytes > 0 {
            let noise = SeededContent(seed: behaviour.seed, version: -1)
            plan.steps.append(.body(.seeded(noise, 0..<behaviour.extraBytes)))
            plan.ending = plan.ending == .keepAlive ? .close : plan.ending
        }
        return plan
    }

    /// - Returns: whether the answer ends before the body does.
    private mutating func addBody(
        _ source: BodySource, _ behaviour: FaultOptions, isFirst: Bool, breakOff: Ending
    ) -> Bool {
        let dropAt = isFirst ? behaviour.dropFirst ?? behaviour.drop : behaviour.drop
        let end = min(dropAt ?? source.count, source.count)
        var start: Int64 = 0
        let stallAt = isFirst ? behaviour.stallFirst ?? behaviour.stallAt : behaviour.stallAt
        if let stall = stallAt, stall < source.count, stall <= end {
            addPiece(source.slice(0..<stall), behaviour)
            guard let pause = behaviour.stallFor else {
                ending = .hold
                return true
            }
            steps.append(.wait(pause))
            start = stall
        }
        addPiece(source.slice(start..<end), behaviour)
        if end < source.count {
            ending = breakOff
            return true
        }
        return false
    }

    private mutating func addPiece(_ piece: BodySource, _ options: FaultOptions) {
        for part in options.wrongByte.map(piece.damaged) ?? [piece] where part.count > 0 {
            steps.append(options.framing == .chunked ? .chunks(part) : .body(part))
        }
    }
}
