extension TransferQueue {
    /// What the face watches from now on; its details come with the next update.
    mutating func watch(_ id: TransferID?) {
        book.watched = id
        book.told = nil
        if id != nil { feed.areTotalsChanged = true }
    }

    /// The details of the watched transfer, if they are news.
    mutating func takeDetails() -> TransferDetails? {
        guard let id = book.watched, let transfer = self[id] else { return nil }
        let details = transfer.details(book[id])
        guard details != book.told else { return nil }
        book.told = details
        return details
    }
}

extension TransferState {
    /// - Parameter record: what is kept of its attempts; `nil` before the first.
    func details(_ record: DetailBook.Record?) -> TransferDetails {
        TransferDetails(
            id: id, urls: spec.urls.map(\.redacted), mirror: mirror, location: record?.location, facts: record?.facts,
            validator: resume?.validator ?? record?.facts?.validator, folder: spec.folder, path: name,
            partPath: resume?.partPath, have: have, size: size, ranges: rangesOnDisk,
            durable: isSaved ? have : resume?.durable ?? .zero, checksum: checksumState,
            rateLimit: settings.rateLimit, attempts: record?.attempts ?? [],
            forgottenAttempts: record?.forgotten ?? 0, seconds: (record?.seconds ?? []).suffix(RateHistory.span))
    }

    private var isSaved: Bool {
        if case .finished = phase { true } else { false }
    }

    private var rangesOnDisk: [Range<Int64>] {
        spec.direction == .down && have > .zero ? [0..<have.bytes] : []
    }

    private var checksumState: TransferDetails.ChecksumState {
        guard let checksum = settings.checksum else { return .none }
        switch phase {
        case .verifying: return .checking(checksum)
        case .finished(.saved), .finished(.alreadyComplete): return .matched(checksum)
        case .failed(.checksum(_, _, let got)), .backoff(_, .checksum(_, _, let got)):
            return .mismatched(checksum, got: got)
        case .waiting, .connecting, .requested, .moving, .replying, .paused, .backoff, .finished(.skipped), .failed,
            .cancelled:
            return .expected(checksum)
        }
    }
}
