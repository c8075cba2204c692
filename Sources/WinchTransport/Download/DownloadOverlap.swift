import WinchModel

/// Bytes of the body that are on disk already, and are compared instead of written.
struct DownloadOverlap {
    var position: Int64
    let end: Int64

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the two differ; `position` is the first byte that does.
    mutating func compare(_ bytes: inout UnsafeRawBufferPointer, with part: PartFile) -> Bool {
        let count = Int(min(Int64(bytes.count), end - position))
        let same = part.file.matching(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position)
        position += Int64(same)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[same...])
        return same == count
    }
}

/// Bytes that come although they are on disk already.
extension DownloadConnection {
    /// The rest is added only when the last of the kept bytes turn out to be the server's as well.
    func compare(from first: Int64, to offset: Int64, end: Int64?, total: Int64?) {
        self.end = end
        phase = .comparing(DownloadOverlap(position: first, end: offset), from: first, total: total)
    }

    /// All of the file comes once more. What is kept stays for the case that this attempt breaks off early as well: a
    /// download from a server that honours only some range requests would otherwise never end.
    func reread(total: Int64) throws(TransferFailure) {
        guard let part = download.body.part else { throw .other("no part to compare with") }
        let cause = asked.startedOver ?? .rangeIgnored
        guard part.belongsToTransfer else { return try open(at: 0, end: total, total: total, cause: cause) }
        // Bytes behind the trusted ones may be wrong: they are cut off.
        try download.body.cut(to: part.written)
        download.version.take(head, offset: 0, total: total, time: answeredTime)
        end = total
        part.mark(download.attributes)
        phase = .rereading(DownloadOverlap(position: 0, end: part.written))
        lastReported = 0
        beginHashing(offset: 0, end: total)
        reportOpening(at: 0, onDisk: ByteRanges(), cause: cause)
    }

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the request ends here.
    func compare(_ bytes: inout UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
        guard let part = download.body.part else { return true }
        switch phase {
        case .comparing(var overlap, let first, let total):
            guard overlap.compare(&bytes, with: part) else { return try startOver(.fileChanged) }
            phase = .comparing(overlap, from: first, total: total)
            guard overlap.position == overlap.end else { return true }
            part.belongsToTransfer = true
            if download.excess == .growing, bound != nil {
                noteGrown()
                decision = .endPiece
                return false
            }
            try open(at: overlap.end, bodyStart: first, end: end, total: total, cause: nil)
            return decision == nil
        case .rereading(var overlap):
            let isSame = overlap.compare(&bytes, with: part)
            phase = isSame && overlap.position < overlap.end ? .rereading(overlap) : .receiving
            if !isSame { try replace(from: overlap.position) }
            if !isSame || overlap.position == overlap.end { part.isProven = true }
            return true
        case .awaitingHead, .receiving, .collecting, .sniffing, .discarding: return true
        }
    }

    /// The bytes before this position are the same; the body replaces all that follow.
    private func replace(from position: Int64) throws(TransferFailure) {
        try download.body.cut(to: position)
        if let part = download.body.part {
            download.hasher.runAgain(reportDemands(), on: part, total: download.version.total)
            download.beginPieces()
        }
    }
}
