import Glibc
import WinchModel

extension SessionRequest {
    /// Finds the transfers that the request is for.
    ///
    /// - Returns: in the queue's order.
    /// - Throws: when there is no such transfer, or a part of a name is in several.
    func chosen(in copy: QueueCopy) throws(SessionFailure) -> [TransferID] {
        var chosen: TransferSet = []
        for id in ids ?? [] {
            guard copy.row(id) != nil else { throw .refused("there is no transfer \(id.number)") }
            chosen.insert(id)
        }
        guard names?.count ?? 0 <= Self.mostNames else {
            throw .refused("a request has at most \(Self.mostNames) names")
        }
        for part in names ?? [] { chosen.insert(try id(named: part, in: copy)) }
        if let which {
            copy.visit { row, _ in
                if Self.isChosen(row, which) { chosen.insert(row.id) }
            }
        }
        guard ids != nil || names != nil || which != nil else {
            throw .refused("name transfers by \"ids\", \"names\" or \"which\"")
        }
        return copy.order.filter { chosen.contains($0) }
    }

    private static func isChosen(_ row: TransferSnapshot, _ which: Selection) -> Bool {
        switch (which, row.phase) {
        case (.all, _), (.failed, .failed), (.waiting, .waiting), (.waiting, .backoff): true
        default: false
        }
    }

    private func id(named part: String, in copy: QueueCopy) throws(SessionFailure) -> TransferID {
        var found: [(id: TransferID, name: String)] = []
        copy.visit { row, _ in
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

    /// 1000: each is looked for in all names, and other clients wait meanwhile.
    private static let mostNames = 1000
    /// Found names beyond these are not counted.
    private static let mostNamed = 4

    private static func contains(_ name: String, _ part: String) -> Bool {
        !part.isEmpty && !part.utf8.contains(0) && strstr(name, part) != nil
    }
}
