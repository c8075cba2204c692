/// `/raw`: an answer written out byte for byte in the URL.
extension ResponsePlan {
    /// Options: `bytes` (percent-encoded, beginning with the status line), `fill` (this many letters) and `wait` (seconds)
    /// are performed in the order of the URL and may be repeated. Besides these `latency`, `reset`, `hold`, `keep` (the
    /// connection stays open for the next request).
    static func raw(_ target: RequestTarget) throws(FaultServerFailure) -> ResponsePlan {
        var plan = ResponsePlan(status: 0, ending: .close)
        var latency = Duration.zero
        for option in target.options {
            switch option.name {
            case "bytes": plan.steps.append(.raw(option.bytes))
            case "fill": plan.steps.append(.raw([UInt8](repeating: UInt8(ascii: "y"), count: Int(try option.count()))))
            case "wait": plan.steps.append(.wait(try option.seconds()))
            case "latency": latency = try option.seconds()
            case "reset": plan.ending = .reset
            case "keep": plan.ending = .keepAlive
            case "hold": plan.ending = .hold
            default: throw .unknownOption(option.name)
            }
        }
        return plan.delayed(by: latency)
    }
}
