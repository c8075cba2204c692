import WinchModel

/// Finds the transfers that a request is for.
struct TransferChoice {
    let request: SessionRequest

    /// - Returns: in the queue's order.
    /// - Throws: when there is no such transfer, or a part of a name is in several.
    func ids(in mirror: QueueMirror) throws(SessionFault) -> [TransferID] {
        var chosen = TransferSet(request.ids ?? [])
        for id in request.ids ?? [] where mirror.row(id) == nil { throw .refused("there is no transfer \(id.number)") }
        for part in request.names ?? [] { chosen.insert(try id(named: part, in: mirror)) }
        if let which = request.which {
            mirror.visit { row, _ in
                if Self.isChosen(row, which) { chosen.insert(row.id) }
            }
        }
        guard request.ids != nil || request.names != nil || request.which != nil else {
            throw .refused("name transfers by \"ids\", \"names\" or \"which\"")
        }
        return mirror.order.filter { chosen.contains($0) }
    }

    private static func isChosen(_ row: TransferSnapshot, _ which: SessionRequest.Selection) -> Bool {
        switch (which, row.phase) {
        case (.all, _), (.failed, .failed), (.waiting, .waiting), (.waiting, .backoff): true
        default: false
        }
    }

    private func id(named part: String, in mirror: QueueMirror) throws(SessionFault) -> TransferID {
        var found: [(id: TransferID, name: String)] = []
        mirror.visit { row, _ in
            if row.name.utf8.elementsEqual(part.utf8) || found.count < Self.mostNamed && Self.contains(row.name, part) {
                found.append((row.id, row.name))
            }
        }
        let exact = found.filter { $0.name.utf8.elementsEqual(part.utf8) }
        if exact.count == 1 { return exact[0].id }
        guard let first = found.first else { throw .refused("no transfer has \"\(part)\" in its name") }
        guard found.count == 1 else {
            let names = found.prefix(3).map { "\($0.id.number) \($0.name)" }.joined(separator: ", ")
            throw .refused("\"\(part)\" is in several names: \(names)\(found.count > 3 ? " and more" : "")")
        }
        return first.id
    }

    /// Found names beyond these are not counted.
    private static let mostNamed = 4

    private static func contains(_ name: String, _ part: String) -> Bool {
        let (name, part) = (Array(name.utf8), Array(part.utf8))
        guard !part.isEmpty, name.count >= part.count else { return false }
        return (0...name.count - part.count).contains { name[$0..<$0 + part.count].elementsEqual(part) }
    }
}
