/// Faults of the framing: how the end of the body is told, and bytes that the framing contradicts.
extension ResponsePlan {
    /// Frames the body and adds its faults.
    static func served(
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
        var plan = ResponsePlan(
            status: head.status, steps: [.raw(behaviour.hintHeads + head.bytes)], ending: ending,
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

    mutating func addPiece(_ piece: BodySource, _ options: FaultOptions) {
        for part in options.wrongByte.map(piece.damaged) ?? [piece] where part.count > 0 {
            steps.append(options.framing == .chunked ? .chunks(part) : .body(part))
        }
    }
}

/// Faults of time: when bytes come, where they stop, and where the connection breaks.
extension ResponsePlan {
    /// - Returns: whether the answer ends before the body does.
    mutating func addBody(_ source: BodySource, _ behaviour: FaultOptions, isFirst: Bool, breakOff: Ending) -> Bool {
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
}

/// Faults of ranges: what is answered to a request for a part.
extension ResponsePlan {
    static func range(_ request: ReceivedRequest, _ behaviour: FaultOptions, _ file: Representation, _ visit: Visit)
        -> ByteRangeRequest
    {
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
}

/// What a Range header asks of a file (RFC 9110, section 14).
enum ByteRangeRequest: Equatable, Sendable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// - Parameter header: `bytes=0-499`, `bytes=500-` or `bytes=-500`. Several ranges, another unit or nonsense count as no
    ///   header at all, which the RFC allows.
    init(_ header: String?, size: Int64) {
        self = .whole
        guard let header, header.lowercased().hasPrefix("bytes=") else { return }
        let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        if bounds[0].isEmpty {
            guard let count = Self.number(bounds[1]) else { return }
            self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
        } else {
            guard let first = Self.number(bounds[0]) else { return }
            guard bounds[1].isEmpty || (Self.number(bounds[1]).map { $0 >= first } ?? false) else { return }
            let last = Self.number(bounds[1]) ?? .max
            self = first >= size ? .unsatisfiable : .part(first..<min(last, size - 1) + 1)
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // More digits than fit mean "to the end", not nonsense.
        return Int64(text) ?? .max
    }
}

/// Faults of the head: lines that no library would write, too many of them, and heads before the answer.
extension FaultOptions {
    /// The 103 responses before the final one.
    var hintHeads: [UInt8] {
        let hint = [UInt8]("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".utf8)
        return (0..<hints).flatMap { _ in hint }
    }
}

extension ResponseFields {
    mutating func addFaults(_ behaviour: FaultOptions) {
        if let disposition = behaviour.disposition { add("Content-Disposition", disposition) }
        if behaviour.isGzip { add("Content-Encoding", "gzip") }
        behaviour.extraHeaders.forEach { add(line: $0) }
        add(filler: behaviour.flood)
        for number in 0..<behaviour.filler { add("X-Filler-\(number)", "x") }
    }
}

extension ResponsePlan {
    mutating func addInterimHeads(_ behaviour: FaultOptions) {
        for status in behaviour.interim.reversed() {
            steps.insert(.raw(Array("HTTP/1.1 \(status) Wait\r\nLink: </style>; rel=preload\r\n\r\n".utf8)), at: 0)
        }
    }
}

/// Faults of the content: versions of the file, its validators, and a page in its place.
extension FaultOptions {
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
