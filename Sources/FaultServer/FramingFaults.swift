/// Faults of the framing: how the end of the body is told, and bytes that the framing contradicts.
extension FaultOptions {
    mutating func readFraming(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "chunked": framing = .chunked
        case "nolength": framing = .untilClose
        case "http10": isOld = true
        case "length": declaredLength = Array(String(try option.count()).utf8)
        case "lengthraw": declaredLength = option.bytes
        case "extra": extraBytes = try option.count()
        case "wrongbyte": wrongByte = try option.count()
        case "noend": hasNoEnd = true
        case "trailer": trailers.append(option.bytes)
        default: return false
        }
        return true
    }
}

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
