import WinchBatch
import WinchModel

/// A Metalink that the server names for the file says what it hashes to, and where else it is.
extension Download {
    /// The responses to the file's request name a Metalink: it is asked for once in an attempt, while the body comes.
    func noteDescription(at url: TransferURL?) {
        guard let url, describedBy == nil, request.settings.value.metalink == .follow, url != request.url,
            url.scheme == .http || url.scheme == .https
        else { return }
        describedBy = url
        isAwaitingDescription = true
        inbox.post(.describe(request.transfer))
    }

    /// The answer has come.
    ///
    /// - Parameter file: `nil`: nothing is known.
    /// - Returns: the mirrors that may be used, the demanded hashes if they have changed, and those of the pieces if they are used
    ///   from now on.
    func take(
        _ file: MetalinkFile?
    ) -> (mirrors: [TransferURL], demands: [ExpectedDigest]?, pieces: PieceHashes?) {
        isAwaitingDescription = false
        guard let file else { return ([], nil, nil) }
        let demands = file.checksum.flatMap { hasher.describe($0) }
        // Pieces are read back from the part: a small file that is whole in memory has none.
        let isInMemory = waitingEnd != nil && body.part == nil
        let hashes = hasher.isDescribable && request.pieces == nil && !isInMemory ? file.pieces : nil
        if let verifier = hashes.flatMap(verifier) { pieces = verifier }
        checkPieces()
        if let demands, waitingEnd == nil, let part = body.part {
            hasher.runAgain(demands, on: part, total: version.total)
        }
        let mirrors = file.urls.filter {
            $0.isMirror(of: request.url, allowsDowngrade: request.settings.value.allowsDowngrade)
        }
        return (mirrors, demands, request.pieces == nil && pieces != nil ? hashes : nil)
    }
}
