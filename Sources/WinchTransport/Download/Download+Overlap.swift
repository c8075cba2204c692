import WinchCore

/// Bytes that come although they are on disk already.
extension Download {
    /// The rest is added only when the last of the kept bytes turn out to be the server's as well.
    func compare(from first: Int64, to offset: Int64, end: Int64?, total: Int64?) {
        overlap = Overlap(position: first, end: offset, opening: Overlap.Opening(start: first, end: end, total: total))
        self.end = end
        stage = .comparing
    }

    /// All of the file comes once more. What is kept stays for the case that this attempt breaks off early as well: a
    /// server that heeds ranges now and then only would otherwise never come to an end.
    func reread(total: Int64) throws(TransferFailure) {
        guard let part, let folder else { throw .other("no part to compare with") }
        guard part.isOurs else { return try open(at: 0, end: total, total: total, cause: .rangeIgnored) }
        // What may be spoiled behind it is in the way.
        try part.cut(to: part.written)
        take(headOf: 0, end: total, total: total)
        overlap = Overlap(position: 0, end: part.written, opening: nil)
        mark(part)
        stage = .receiving
        noteOpened(at: 0)
        writtenBack = part.written
        beginDigest(offset: 0, end: total)
        tellOpening(at: 0, in: folder, cause: .rangeIgnored)
    }

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the request ends here.
    func compare(_ bytes: inout UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
        guard var overlap, let part else { return true }
        let count = Int(min(Int64(bytes.count), overlap.end - overlap.position))
        let same = part.matching(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: overlap.position)
        overlap.position += Int64(same)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[same...])
        self.overlap = overlap
        guard same == count else { return try differ(at: overlap) }
        guard overlap.position == overlap.end else { return true }
        self.overlap = nil
        part.prove()
        if let opening = overlap.opening {
            try open(
                at: overlap.end, bodyStart: opening.start, end: opening.end, total: opening.total, cause: nil)
            return outcome == nil
        }
        return true
    }

    private func differ(at overlap: Overlap) throws(TransferFailure) -> Bool {
        self.overlap = nil
        guard overlap.opening == nil else {
            try startOver(.fileChanged)
            return false
        }
        // All before this place is the same, and what comes is the rest of it.
        try part?.cut(to: overlap.position)
        writtenBack = overlap.position
        // The bytes that were hashed are not those of the file.
        beginDigest(offset: bodyRange.offset, end: bodyRange.end)
        return true
    }

    /// The whole is to be asked for in this attempt, unless a person wants to hear of it first.
    func startOver(_ cause: Rebase.Cause) throws(TransferFailure) {
        if cause == .fileChanged, settings.onChange == .fail { throw .changed }
        restart = .over(cause)
    }
}
