import FoundationEssentials
package import WinchModel

extension SessionRequest {
    /// 512 KiB: a line is held in memory as a whole at both ends, and other clients are answered between two lines.
    private static let entryBytesInLine = 512 << 10
    /// Room for the rest of a line beside its entries.
    private static let otherBytes = 1 << 10

    /// Requests that add entries, as many as their lines have room for.
    ///
    /// - Parameter specs: with paths that mean the same to the session.
    /// - Throws: `.refused` for an entry that is longer than a line may be.
    package static func adding(_ specs: some Sequence<TransferSpec>) throws(SessionFailure) -> [SessionRequest] {
        let encoder = JSONEncoder()
        var requests: [SessionRequest] = []
        var (piece, bytes): ([TransferSpec], Int) = ([], 0)
        func end() {
            guard !piece.isEmpty else { return }
            var request = SessionRequest(.add)
            request.specs = piece
            requests.append(request)
            (piece, bytes) = ([], 0)
        }
        for spec in specs {
            let length = (try? encoder.encode(spec).count) ?? 0
            guard length + otherBytes <= LineBuffer.mostFromClients else {
                throw .refused(
                    "\(spec.expectedName): the entry has \(length) bytes, and a session takes \(LineBuffer.mostFromClients)"
                        + " in one; nothing was added")
            }
            if bytes + length > entryBytesInLine { end() }
            piece.append(spec)
            bytes += length
        }
        end()
        return requests
    }
}
