import WinchModel

/// The pieces of a file whose hashes are known are checked as soon as their bytes are on disk.
extension Download {
    /// A body begins, whose size is known or not.
    func beginPieces() {
        waitingEnd = nil
        bodies += 1
        origins = ByteOrigins()
        pieces = request.pieces.flatMap(verifier)
    }

    /// - Returns: `nil` when the hashes are not those of all pieces of the file.
    func verifier(_ hashes: PieceHashes) -> PieceVerifier? {
        version.total.flatMap { PieceVerifier(hashes, total: $0, body: bodies) }
    }

    /// An address has brought bytes, which are on disk.
    func noteBrought(_ bytes: Range<Int64>, from source: TransferURL) {
        guard pieces != nil || isAwaitingDescription else { return }
        origins.note(bytes, from: source)
        checkPieces()
    }

    /// Has the pieces checked that have become complete.
    func checkPieces() {
        guard let pieces, let part = body.part else { return }
        for index in pieces.take(from: part.held) {
            files.checker.check(
                PieceCheck(
                    id: request.transfer, body: pieces.body, client: inbox, file: part.file, path: part.path,
                    index: index,
                    range: pieces.range(of: index), expected: pieces.expected(index)))
        }
    }

    /// A piece was checked.
    ///
    /// - Parameter failure: `nil`: it has the right hash.
    /// - Returns: the address that sent the wrong bytes, and the failure; `nil`: the piece is right, or the check is of an earlier
    ///   body.
    func took(_ piece: PieceCheck, _ failure: TransferFailure?) -> (source: TransferURL?, failure: TransferFailure)? {
        guard let pieces, let part = body.part, part.file === piece.file, pieces.body == piece.body else { return nil }
        guard let failure else {
            pieces.noteRight(piece.index)
            return nil
        }
        let source = origins.takeWrong(piece.range)
        pieces.noteWrong(piece.index)
        part.forget(piece.range)
        hasher.runAgain(hasher.lastDemands, on: part, total: version.total)
        return (source, failure)
    }

    /// The connection waits with others for the pieces, or beside others that bring bytes, and is told to close.
    ///
    /// - Returns: false when it does not wait, or is the last of the file.
    func leaveWaitingEnd(_ id: ConnectionID) -> Bool {
        guard var end = waitingEnd, end.connections.contains(where: { $0.id == id }),
            !connections.isEmpty || end.connections.count > 1
        else { return false }
        end.connections.removeAll { $0.id == id }
        waitingEnd = end.connections.isEmpty ? nil : end
        return true
    }

    /// The end that waited for the pieces and the Metalink, if all pieces are right or one was wrong.
    func takeWaitingEnd() -> WaitingEnd? {
        guard lacksBytes || !isAwaitingDescription, lacksBytes || pieces?.isDone != false else { return nil }
        return waitingEnd.take()
    }
}
