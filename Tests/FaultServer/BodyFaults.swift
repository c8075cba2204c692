/// Faults of the framing and of time: how the end of the body is told, bytes that the framing contradicts, and where the
/// body stops.
extension ResponsePlan {
    /// Frames the body and adds its faults.
    static func served(
        _ source: BodySource, _ head: ResponseFields, _ request: ReceivedRequest, _ options: FaultOptions,
        _ visit: Visit
    ) -> ResponsePlan {
        var head = head
        let pace = options.pace(on: visit)
        let breakOff = options.resets ? Ending.reset : .close
        var ending = request.isKeepAlive && !options.isOld ? Ending.keepAlive : .close
        switch options.framing {
        case .chunked:
            head.add("Transfer-Encoding", "chunked")
        case .untilClose:
            head.add("Connection", "close")
            ending = breakOff
        case .declared:
            let honest = Array(String(source.count).utf8)
            var declared = options.declaredLength ?? honest
            if declared != honest { ending = breakOff }
            if request.isHead, let length = options.headLength { declared = Array(String(length).utf8) }
            head.add("Content-Length", declared)
        }
        var plan = ResponsePlan(status: head.status, steps: [.raw(head.bytes)], ending: ending, rate: pace.rate)
        if request.isHead {
            plan.ending = request.isKeepAlive ? .keepAlive : .close
            return plan
        }
        if let early = plan.addBody(source, options, pace, breakOff: breakOff) {
            plan.ending = early
            return plan
        }
        if options.framing == .chunked {
            let trailers = options.trailers.flatMap { $0 + Array("\r\n".utf8) }
            plan.steps.append(.raw(Array("0\r\n".utf8) + trailers + Array("\r\n".utf8)))
        }
        if options.extraBytes > 0 {
            let noise = SeededContent(seed: options.seed, version: -1)
            plan.steps.append(.body(.seeded(noise, 0..<options.extraBytes)))
            if plan.ending == .keepAlive { plan.ending = .close }
        }
        return plan
    }

    /// - Returns: how the connection ends when the answer ends before its body does.
    private mutating func addBody(
        _ source: BodySource, _ options: FaultOptions, _ pace: FaultOptions.Pace, breakOff: Ending
    ) -> Ending? {
        let end = min(pace.drop ?? source.count, source.count)
        var start: Int64 = 0
        if let stall = pace.stallAt, stall < source.count, stall <= end {
            addPiece(source.slice(0..<stall), options)
            guard let pause = options.stallFor else { return .hold }
            steps.append(.wait(pause))
            start = stall
        }
        addPiece(source.slice(start..<end), options)
        return end < source.count || options.framing == .chunked && options.hasNoEnd ? breakOff : nil
    }

    private mutating func addPiece(_ piece: BodySource, _ options: FaultOptions) {
        for part in options.wrongByte.map(piece.damaged) ?? [piece] where part.count > 0 {
            steps.append(options.framing == .chunked ? .chunks(part) : .body(part))
        }
    }
}

/// Faults of ranges: what is answered to a request for a part.
extension ResponsePlan {
    static func range(_ request: ReceivedRequest, _ options: FaultOptions, _ file: Representation, _ visit: Visit)
        -> ByteRangeRequest
    {
        // Range is defined for GET alone (RFC 9110, section 14.2).
        guard options.ranges != .off, !request.isHead else { return .whole }
        if options.ranges == .alternate, visit.number.isMultiple(of: 2) { return .whole }
        let honoursIfRange = options.ranges != .careless && options.ranges != .bare
        if honoursIfRange, let condition = request.header("If-Range"), !file.matches(ifRange: condition) {
            return .whole
        }
        let size = file.source.count
        let range = ByteRangeRequest(request.header("Range"), size: size)
        if options.ranges == .refuse, range != .whole { return .unsatisfiable }
        guard options.ranges == .lie, case .part(let asked) = range else { return range }
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
