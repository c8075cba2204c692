/// Faults of the head: lines that no library would write, too many of them, and heads before the answer.
extension FaultOptions {
    mutating func readHead(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "type": contentType = option.bytes
        case "disposition": disposition = option.bytes
        case "header":
            guard option.bytes.contains(UInt8(ascii: ":")) else { throw option.failure }
            extraHeaders.append(option.bytes)
        case "lines": filler = Int(min(try option.count(), 1_000_000))
        case "hints": hints = Int(min(try option.count(), 10_000))
        case "headlength": headLength = try option.count()
        case "flood": flood = try option.count()
        case "interim":
            interim = try Self.answers(option).compactMap { if case .status(let code) = $0 { code } else { nil } }
            guard interim.allSatisfy({ (100...199).contains($0) }) else { throw option.failure }
        default: return false
        }
        return true
    }

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
            steps.insert(
                .raw(Array("HTTP/1.1 \(status) Wait\r\nLink: </style>; rel=preload\r\n\r\n".utf8)), at: 0)
        }
    }
}
