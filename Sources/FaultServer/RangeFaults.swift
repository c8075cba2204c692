/// Faults of ranges: what is answered to a request for a part.
extension FaultOptions {
    mutating func readRanges(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "contentrange": contentRange = option.bytes
        case "ranges":
            switch option.text {
            case "on": ranges = .honest
            case "off": ranges = .ignored
            case "lie": ranges = .shifted
            case "careless": ranges = .careless
            case "bare": ranges = .bare
            case "alternate": ranges = .alternate
            case "multipart": ranges = .multipart
            case "refuse": ranges = .refused
            default: throw option.failure
            }
        default: return false
        }
        return true
    }
}

extension ResponsePlan {
    static func range(
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
}
