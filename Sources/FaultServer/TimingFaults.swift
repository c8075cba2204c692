/// Faults of time: when bytes come, where they stop, and where the connection breaks.
extension FaultOptions {
    mutating func readTiming(_ option: OptionText) throws(FaultServerFailure) -> Bool {
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
}

extension ResponsePlan {
    /// - Returns: whether the answer ends before the body does.
    mutating func addBody(
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
}
